// SPDX-License-Identifier: MIT
#include "link/frame.hpp"

#include "kdevx/prm/layout.hpp"

#include <algorithm>
#include <type_traits>

namespace kdevx::hca::link {
namespace {

using bytes = std::vector<std::byte>;

constexpr std::size_t word = 8, max_lids = 16;

class writer {
public:
    explicit writer(kind what) : out_(head_size) { out_[4] = std::byte(what); }

    template <class T>
    void operator()(const T &v) {
        const std::size_t at = out_.size();
        out_.resize(at + word);
        prm::store_be(out_.data() + at, std::uint64_t(v));
    }
    template <std::size_t N>
    void operator()(const std::array<std::byte, N> &a) {
        out_.insert(out_.end(), a.begin(), a.end());
    }
    void operator()(const bytes &b) {
        (*this)(b.size());
        out_.insert(out_.end(), b.begin(), b.end());
    }
    bytes finish() {
        prm::store_be(out_.data(), std::uint32_t(out_.size() - head_size));
        return std::move(out_);
    }

private:
    bytes out_;
};

class reader {
public:
    explicit reader(std::span<const std::byte> body) : rest_(body) {}

    template <class T>
    void operator()(T &v) {
        const auto b = take(word);
        v = b.empty() ? T{} : T(prm::load_be<std::uint64_t>(b.data()));
    }
    template <std::size_t N>
    void operator()(std::array<std::byte, N> &a) {
        std::ranges::copy(take(N), a.begin());
    }
    void operator()(bytes &b) {
        std::uint64_t n = 0;
        (*this)(n);
        const auto all = take(n);
        b.assign(all.begin(), all.end());
    }
    bool is_whole() const { return !bad_ && rest_.empty(); }

private:
    std::span<const std::byte> rest_;
    bool bad_ = false;

    std::span<const std::byte> take(std::uint64_t n) {
        if (bad_ || n > rest_.size()) {
            bad_ = true;
            return {};
        }
        const auto taken = rest_.first(std::size_t(n));
        rest_ = rest_.subspan(std::size_t(n));
        return taken;
    }
};

// ---- the fields, in their order

template <class Packet, class F>
void fields_of_packet(Packet &p, F &&f) {
    f(p.source_lid), f(p.lid), f(p.source_qpn), f(p.qpn), f(p.service), f(p.sl);
    f(p.has_grh), f(p.from), f(p.to);
    f(p.does), f(p.first), f(p.last), f(p.solicited), f(p.has_immediate), f(p.invalidates);
    f(p.immediate), f(p.psn), f(p.psns), f(p.xrc_srq), f(p.q_key), f(p.message_length);
    f(p.address), f(p.key), f(p.length), f(p.atomic), f(p.operand_size), f(p.arguments);
    f(p.payload);
}
template <class Request, class F>
void fields_of(Request &r, F &&f) requires std::is_same_v<std::remove_const_t<Request>, request> {
    f(r.ticket);
    fields_of_packet(r.packet, f);
}
template <class Reply, class F>
void fields_of(Reply &r, F &&f) requires std::is_same_v<std::remove_const_t<Reply>, reply> {
    f(r.ticket), f(r.qpn), f(r.answer.what), f(r.answer.rnr_timer), f(r.answer.payload);
}

template <class T>
bytes write(kind what, const T &t) {
    writer w(what);
    fields_of(t, w);
    return w.finish();
}
template <class T>
std::optional<T> read(std::span<const std::byte> body) {
    reader r(body);
    T t;
    fields_of(t, r);
    if (!r.is_whole()) return std::nullopt;
    return t;
}

} // namespace

bytes encode(const hello &h) {
    writer w(kind::hello);
    w(h.version);
    w(h.lids.size());
    for (std::uint16_t lid : h.lids)
        w(lid);
    return w.finish();
}

bytes encode(const request &r) {
    return write(kind::request, r);
}

bytes encode(const reply &r) {
    return write(kind::reply, r);
}

std::optional<head> decode_head(std::span<const std::byte, head_size> raw) {
    const head h{prm::load_be<std::uint32_t>(raw.data()), kind(raw[4])};
    const bool known = h.what == kind::hello || h.what == kind::request || h.what == kind::reply;
    return known && h.length <= max_frame ? std::optional(h) : std::nullopt;
}

std::optional<hello> decode_hello(std::span<const std::byte> body) {
    reader r(body);
    hello h;
    std::uint64_t n = 0;
    r(h.version);
    r(n);
    if (n > max_lids) return std::nullopt;
    h.lids.resize(n);
    for (std::uint16_t &lid : h.lids)
        r(lid);
    if (!r.is_whole() || h.version != hello{}.version) return std::nullopt;
    return h;
}

std::optional<request> decode_request(std::span<const std::byte> body) {
    return read<request>(body);
}

std::optional<reply> decode_reply(std::span<const std::byte> body) {
    auto r = read<reply>(body);
    if (r && r->answer.what > engine::verdict::lost) return std::nullopt;
    return r;
}

} // namespace kdevx::hca::link
