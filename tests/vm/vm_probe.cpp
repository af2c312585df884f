// SPDX-License-Identifier: MIT
// The tables in kabi/ against the running kernel: every object, method and attribute is there from
// the release on that its row names, and takes what the row says. No request here reaches a method:
// each ends with an attribute that no kernel knows, flagged as mandatory, or names an attribute
// twice, and the kernel refuses it after it has judged what stands before.
#include "bench.hpp"
#include "raw.hpp"

#include "kabi/kabi.hpp"
#include "kdevx/prm/caps.hpp"

#include <fcntl.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

constexpr unsigned nobody_knows = 0x1fff;

bool released(kabi::since s) {
    constexpr version first[] = {{6, 1}, {6, 12}, {7, 2}, {7, 3}};
    return kernel() >= first[std::size_t(s)];
}

// What the device under test has, by its own capability pages.
class capabilities {
    box page_{prm::cmd_hca_cap}, qos_{prm::qos_cap}, memory_{prm::device_mem_cap};

    static void read(kdevx_context *c, std::uint16_t type, box &page) {
        constexpr std::uint16_t current = 1;
        exchange x("QUERY_HCA_CAP");
        REQUIRE(general(c, x.set("op_mod", std::uint64_t(type << 1 | current))) == ok);
        std::memcpy(page.data(), x.out.data() + 0x10, page.size());
    }

public:
    capabilities() {
        context_ptr c = open_context();
        read(c.get(), prm::cap<"GENERAL">, page_);
        read(c.get(), prm::cap<"QOS">, qos_);
        read(c.get(), prm::cap<"DEV_MEM">, memory_);
    }
    bool has(kabi::presence p) const {
        const std::uint64_t objects = page_.get("general_obj_types");
        switch (p) {
        case kabi::presence::always: return true;
        case kabi::presence::log_max_uctx: return page_.get("log_max_uctx") != 0;
        case kabi::presence::memory_windows: return page_.get("imaicl") != 0;
        case kabi::presence::ethernet: return page_.get("port_type") == 1;
        case kabi::presence::virtio_net_q: return objects >> 0x0d & 1;
        case kabi::presence::packet_pacing_uid: return qos_.get("packet_pacing_uid") != 0;
        case kabi::presence::device_memory: return memory_.get("memic") != 0;
        case kabi::presence::shared_objects:
            return page_.get("shared_object_to_user_object_allowed") != 0;
        case kabi::presence::steering_tags: break; // no TPH
        }
        return false;
    }
};

// A method that must be given the handle of a kind that is not there is not there itself.
kabi::presence wanted_by(const kabi::method_base &m) {
    return &m == &kabi::mr::dm_reg ? kabi::presence::device_memory : m.object->when;
}

const capabilities &of_device() {
    static const capabilities its;
    return its;
}

bool expected(const kabi::method_base &m) {
    return released(m.object->from) && released(m.from) && of_device().has(wanted_by(m));
}

// Where the handle is optional, the attribute is known, and no handle is the right one.
bool takes_no_handle(const kabi::method_base &m, const kabi::attr &a) {
    if (&m == &kabi::qp::create && a.name == "UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE")
        return !of_device().has(kabi::presence::ethernet);
    return &m == &kabi::mr::reg && a.name == "UVERBS_ATTR_REG_MR_DMA_HANDLE";
}

// -EPROTONOSUPPORT: the kernel does not know the method, or an attribute that it was told to know.
int ask_method(int fd, const kabi::method_base &m) {
    raw request(m.object->id, m.id);
    std::uint64_t nothing = 0;
    // An attribute that belongs to no method, not insisted on, twice: skipped. The method then
    // misses what it wants. Those that want nothing are told apart below.
    return request.optional().in(nobody_knows, &nothing, 8).send(fd);
}

int ask_attr(int fd, const kabi::method_base &m, unsigned id) {
    raw request(m.object->id, m.id);
    std::uint64_t nothing = 0;
    return request.in(id, &nothing, 8).in(id, &nothing, 8).send(fd);
}

// How the kernel takes one attribute: -EPROTONOSUPPORT when it is content, for then it goes on to
// the one that nobody knows.
constexpr int content = -EPROTONOSUPPORT;

struct trial {
    int fd;
    const kabi::method_base &m;
    const kabi::attr &a;
    std::vector<unsigned char> bytes = std::vector<unsigned char>(0x10000, 0);

    int with_bytes(std::size_t n, unsigned char last = 0) {
        if (n) bytes[n - 1] = last;
        raw request(m.object->id, m.id);
        if (a.kind == kabi::ptr_out)
            request.out(a.id, bytes.data(), n);
        else
            request.in(a.id, bytes.data(), n);
        if (n) bytes[n - 1] = 0;
        // The pointer stays valid until the request is over; inline bytes were copied.
        std::uint64_t nothing = 0;
        return request.in(nobody_knows, &nothing, 8).send(fd);
    }
    int with_value(std::uint64_t v, unsigned length = 0) {
        std::uint64_t nothing = 0;
        return raw(m.object->id, m.id)
            .value(a.id, v, length)
            .in(nobody_knows, &nothing, 8)
            .send(fd);
    }
};

void check_bytes(trial &t) {
    CHECK(t.with_bytes(t.a.bytes.least) == content);
    if (t.a.bytes.least > 0) CHECK(t.with_bytes(t.a.bytes.least - 1) == -EINVAL);
    if (t.a.bytes.most == kabi::any_size) return;
    CHECK(t.with_bytes(t.a.bytes.most + 1, 1) == -EINVAL);
}

void check_attr(trial &t) {
    constexpr std::uint64_t absent = 0x7fffffff;
    switch (t.a.kind) {
    case kabi::attr_kind::ptr_in:
    case kabi::attr_kind::ptr_out: return check_bytes(t);
    case kabi::attr_kind::const_in:
        CHECK(t.with_value(0, 8) == content);
        return;
    case kabi::attr_kind::flags_in:
        CHECK(t.with_value(0, 8) == content);
        CHECK(t.with_value(0, 4) == content);
        CHECK(t.with_value(0, 2) == -EINVAL);
        return;
    case kabi::attr_kind::enum_in:
        CHECK(t.with_bytes(t.a.bytes.most) == content);
        return;
    case kabi::attr_kind::handle:
    case kabi::attr_kind::destroy:
        CHECK(t.with_value(absent) == (takes_no_handle(t.m, t.a) ? -EINVAL : -ENOENT));
        CHECK(t.with_value(absent, 4) == -EINVAL);
        return;
    case kabi::attr_kind::new_handle:
    case kabi::attr_kind::new_fd:
        CHECK(t.with_value(0) == content);
        CHECK(t.with_value(0, 4) == -EINVAL);
        return;
    case kabi::attr_kind::fd:
        CHECK(t.with_value(std::uint64_t(-1)) == -EBADF);
        CHECK(t.with_value(std::uint64_t(-1), 4) == -EINVAL);
        return;
    case kabi::attr_kind::raw_fd:
        CHECK(t.with_value(0) == content);
        CHECK(t.with_value(0, 4) == -EINVAL);
        CHECK(t.with_value(1ull << 31) == -EINVAL);
        return;
    case kabi::attr_kind::handles:
        CHECK(t.with_bytes(t.a.bytes.least, 0x7f) == -ENOENT);
        CHECK(t.with_bytes(t.a.bytes.least - 1) == -EINVAL);
        CHECK(t.with_bytes(t.a.bytes.most + 4) == -EINVAL);
        return;
    }
}

class devx_file {
    int fd_ = open(under_test().node.c_str(), O_RDWR | O_CLOEXEC);

public:
    devx_file() { REQUIRE(raw_get_context(fd_, true) == 0); }
    ~devx_file() { close(fd_); }
    devx_file(const devx_file &) = delete;
    operator int() const { return fd_; }
};

template <class F>
void each_method(F visit) {
    for (const kabi::object_entry &entry : kabi::objects)
        for (const kabi::method_base *m : entry.methods)
            visit(*m);
}

} // namespace

TEST_CASE("each method is there from the release its table names", "[probe]") {
    devx_file file;
    int asked = 0;
    each_method([&](const kabi::method_base &m) {
        CAPTURE(m.name);
        const int answer = ask_method(file, m);
        CHECK((answer == -EPROTONOSUPPORT) == !expected(m));
        // The file has its context; the only other method without a mandatory attribute is none.
        if (expected(m)) CHECK(answer == -EINVAL);
        ++asked;
    });
    CHECK(asked > 50);
}

TEST_CASE("each attribute is there from the release its table names", "[probe]") {
    devx_file file;
    int asked = 0;
    each_method([&](const kabi::method_base &m) {
        if (!expected(m)) return;
        for (const kabi::attr &a : m.attrs) {
            CAPTURE(m.name, std::string(a.name));
            const int answer = ask_attr(file, m, a.id);
            CHECK((answer == -EPROTONOSUPPORT) == !released(a.from));
            ++asked;
        }
        CHECK(ask_attr(file, m, nobody_knows) == -EPROTONOSUPPORT);
    });
    CHECK(asked > 100);
}

TEST_CASE("each attribute takes what its table says", "[probe]") {
    devx_file file;
    each_method([&](const kabi::method_base &m) {
        if (!expected(m)) return;
        for (const kabi::attr &a : m.attrs) {
            if (!released(a.from)) continue;
            CAPTURE(m.name, std::string(a.name));
            trial t{file, m, a};
            check_attr(t);
        }
    });
}
