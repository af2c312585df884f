// SPDX-License-Identifier: MIT
// What most tests need around their subject: owners of the library's handles, and a bench that makes
// a PD, a CQ, memory and so on when they are first asked for.
#pragma once

#include "guest.hpp"
#include "mailbox.hpp"
#include "outcome.hpp"

#include <memory>
#include <utility>

namespace kdevx::vm {

template <auto End>
struct ending {
    template <class T>
    void operator()(T *t) const {
        CHECK(call(End, t) == ok);
    }
};
struct closing {
    void operator()(kdevx_context *c) const { kdevx_context_close(c); }
};
using context_ptr = std::unique_ptr<kdevx_context, closing>;
using object_ptr = std::unique_ptr<kdevx_object, ending<kdevx_object_destroy>>;
using cmd_comp_ptr = std::unique_ptr<kdevx_cmd_comp, ending<kdevx_cmd_comp_destroy>>;
using umem_ptr = std::unique_ptr<kdevx_umem, ending<kdevx_umem_dereg>>;
using uar_ptr = std::unique_ptr<kdevx_uar, ending<kdevx_uar_free>>;

// An address that may be nobody's.
inline void *pointer_to(std::uintptr_t address) {
    return reinterpret_cast<void *>(address);
}

// Memory of whole pages, zeroed.
class pages {
    void *at_;
    std::size_t size_;

public:
    explicit pages(std::size_t size);
    ~pages();
    pages(const pages &) = delete;

    std::byte *data() const { return static_cast<std::byte *>(at_); }
    std::size_t size() const { return size_; }
};

context_ptr open_context(const device &which, std::uint32_t devx = KDEVX_DEVX_REQUIRE);
inline context_ptr open_context(std::uint32_t devx = KDEVX_DEVX_REQUIRE) {
    return open_context(under_test(), devx);
}
kdevx_context_info info_of(kdevx_context *c);
kdevx_uar_info info_of(kdevx_uar *u);
kdevx_umem_info info_of(kdevx_umem *u);
kdevx_object_info info_of(kdevx_object *o);

// Each of these sends the exchange; the outcome is the caller's to judge. The outbox is filled with
// rubbish before, so that whatever is read from it was written.
outcome general(kdevx_context *c, exchange &x);
outcome query(kdevx_object *o, exchange &x);
outcome modify(kdevx_object *o, exchange &x);
outcome create(kdevx_context *c, exchange &x, object_ptr &made);
// Must succeed.
object_ptr create(kdevx_context *c, exchange &x);
uar_ptr alloc_uar(kdevx_context *c, std::uint32_t type);
umem_ptr reg_umem(kdevx_context *c, void *at, std::size_t size, std::uint32_t access);

// What objects refer to, by the number that an inbox wants.
enum class resource {
    pd, transport_domain, xrcd, cqn, rmpn, rqn, sqn, tisn, // objects of firmware
    uar_page, umem, eqn, address                           // address: of the umem's memory
};

class bench {
    context_ptr context_;
    uar_ptr uar_;
    std::unique_ptr<pages> memory_;
    umem_ptr umem_;
    std::vector<std::pair<resource, object_ptr>> made_; // the youngest goes first


public:
    // Where in the umem queues and their doorbell records stand.
    static constexpr std::uint64_t memory_size = 1 << 20, ring = 0, record = 0x80000;

    bench() : context_(open_context()) {}
    ~bench();
    bench(const bench &) = delete;

    kdevx_context *context() const { return context_.get(); }
    std::uint64_t operator[](resource r);
    // Who holds the number; null if it is not an object of firmware, or nobody has asked for it.
    kdevx_object *holder(resource r) const;
    std::byte *memory();
    kdevx_umem *umem();
    kdevx_uar *uar();

    // Lets go of everything without destroying it, as a program that ends does.
    void abandon();
    void forget_uar() { uar_.release(); }

    // Inboxes with the least that makes an object of them.
    exchange recipe(resource r);
    exchange mkey();
    exchange cq(unsigned log_size = 6);
    exchange qp(std::string_view service_type = "RC");
    object_ptr create(exchange x) { return vm::create(context(), x); }
};

} // namespace kdevx::vm
