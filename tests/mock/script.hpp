// SPDX-License-Identifier: MIT
// Requests written down beforehand: exactly these, in this order, and none is left over.
//
//     mock::script s(kernel);
//     s.expect(kabi::devx_obj::create)
//         .makes("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 0)
//         .in("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", inbox)
//         .out("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", outbox);
//
// Each attribute is compared byte by byte with what kabi.md says it looks like on the wire; the
// encoding is written here once more, so that library and test do not share a mistake.
#pragma once

#include <cstring>
#include <list>
#include <sstream>

#include "kernel.hpp"

namespace mock {

struct wire_attr {
    std::string name;
    std::uint16_t id = 0, len = 0;
    bool mandatory = true;
    bool by_pointer = false;
    std::uint8_t element = 0;
    std::uint64_t data = 0; // inline, or what is written back
    bytes content;          // behind the pointer: to compare, or to write
    enum { compare, write_pointer, write_back } action = compare;
};

class expected {
    const kdevx::kabi::method_base *method_;
    std::vector<wire_attr> attrs_;
    int err_ = 0;
    friend class script;

    wire_attr &add(const char *name) {
        const kdevx::kabi::attr *row = method_->find(std::string_view(name));
        if (!row) throw std::runtime_error(std::string("no attribute ") + name);
        wire_attr a;
        a.name = name;
        a.id = row->id;
        return attrs_.emplace_back(a);
    }

public:
    explicit expected(const kdevx::kabi::method_base &m) : method_(&m) {}

    expected &in(const char *name, const bytes &content) {
        wire_attr &a = add(name);
        a.len = std::uint16_t(content.size());
        a.by_pointer = content.size() > 8;
        if (a.by_pointer)
            a.content = content;
        else if (!content.empty())
            std::memcpy(&a.data, content.data(), content.size());
        return *this;
    }
    template <class T>
    expected &in_value(const char *name, T v) {
        bytes b(sizeof v);
        std::memcpy(b.data(), &v, sizeof v);
        return in(name, b);
    }
    expected &out(const char *name, const bytes &content) {
        wire_attr &a = add(name);
        a.len = std::uint16_t(content.size());
        a.by_pointer = true;
        a.content = content;
        a.action = wire_attr::write_pointer;
        return *this;
    }
    template <class T>
    expected &out_value(const char *name, T v) {
        bytes b(sizeof v);
        std::memcpy(b.data(), &v, sizeof v);
        return out(name, b);
    }
    expected &constant(const char *name, std::uint64_t v) {
        wire_attr &a = add(name);
        a.len = 8;
        a.data = v;
        return *this;
    }
    expected &flags(const char *name, std::uint32_t v) {
        return in_value(name, v); // in the first bytes, whatever the byte order
    }
    expected &handle(const char *name, std::uint64_t v) {
        add(name).data = v;
        return *this;
    }
    expected &makes(const char *name, std::uint64_t v) {
        wire_attr &a = add(name);
        a.data = v;
        a.action = wire_attr::write_back;
        return *this;
    }
    expected &tolerated() {
        attrs_.back().mandatory = false;
        return *this;
    }
    expected &fails(int err) {
        err_ = err;
        return *this;
    }
};

class script {
    kernel &kernel_;
    std::list<expected> expected_;
    std::vector<std::string> differences_;

    void differ(const std::string &text) { differences_.push_back(text); }

    void compare(const wire_attr &e, const ib_uverbs_attr &a) {
        std::ostringstream got;
        auto check = [&](auto want, auto is, const char *what) {
            if (want != is) differ(e.name + ": " + what + " differs");
        };
        check(e.id, a.attr_id, "id");
        check(e.len, a.len, "len");
        check(unsigned(e.mandatory), unsigned(a.flags), "flags");
        check(unsigned(e.element), unsigned(a.attr_data.enum_data.elem_id), "elem_id");
        if (!e.by_pointer && e.action != wire_attr::write_back) check(e.data, a.data, "data");
        if (e.by_pointer && e.action == wire_attr::compare && e.len == a.len)
            check(0, std::memcmp(e.content.data(), pointer(a), a.len), "content");
    }
    static void *pointer(const ib_uverbs_attr &a) {
        return reinterpret_cast<void *>(std::uintptr_t(a.data));
    }

    // Handles and fds are written back whatever becomes of the call; outboxes only if the method
    // got that far.
    static void act(const wire_attr &e, ib_uverbs_attr &a, int err) {
        if (e.action == wire_attr::write_back) a.data = e.data;
        if (e.action != wire_attr::write_pointer || (err && err != EREMOTEIO)) return;
        std::memcpy(pointer(a), e.content.data(), std::min<std::size_t>(e.len, a.len));
        a.flags |= UVERBS_ATTR_F_VALID_OUTPUT;
    }

    int answer(ib_uverbs_ioctl_hdr *h) {
        if (expected_.empty()) {
            differ("a request too many: object " + std::to_string(h->object_id) + " method " +
                   std::to_string(h->method_id));
            return -ENOTRECOVERABLE;
        }
        expected e = expected_.front();
        expected_.pop_front();
        if (h->object_id != e.method_->object->id || h->method_id != e.method_->id)
            differ(std::string("not ") + e.method_->name);
        if (h->num_attrs != e.attrs_.size()) {
            differ(std::string(e.method_->name) + ": number of attributes differs");
            return -ENOTRECOVERABLE;
        }
        for (std::size_t i = 0; i < e.attrs_.size(); ++i) {
            compare(e.attrs_[i], h->attrs[i]);
            act(e.attrs_[i], h->attrs[i], e.err_);
        }
        return -e.err_;
    }

public:
    explicit script(kernel &k) : kernel_(k) {
        k.on_ioctl = [this](ib_uverbs_ioctl_hdr *h) { return answer(h); };
    }
    ~script() { kernel_.on_ioctl = nullptr; }

    expected &expect(const kdevx::kabi::method_base &m) { return expected_.emplace_back(m); }
    // A request without attributes, as probes are.
    expected &expect_probe(const kdevx::kabi::method_base &m) { return expect(m); }

    // What differed, and what was not sent; empty when all went by the script.
    std::string differences() const {
        std::string all;
        for (const std::string &d : differences_)
            all += d + "\n";
        for (const expected &e : expected_)
            all += std::string(e.method_->name) + ": was not sent\n";
        for (const std::string &r : kernel_.broken_rules)
            all += "rule of the wire broken: " + r + "\n";
        return all;
    }
};

} // namespace mock
