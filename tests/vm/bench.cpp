// SPDX-License-Identifier: MIT
#include "bench.hpp"

#include <sys/mman.h>

namespace kdevx::vm {

pages::pages(std::size_t size)
    : at_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
      size_(size) {
    REQUIRE(at_ != MAP_FAILED);
}

pages::~pages() {
    munmap(at_, size_);
}

context_ptr open_context(const device &which, std::uint32_t devx) {
    kdevx_open_options options{};
    options.size = sizeof options;
    options.devx = devx;
    kdevx_context *c = nullptr;
    REQUIRE(call(kdevx_context_open_path, which.node.c_str(), &options, &c) == ok);
    return context_ptr(c);
}

namespace {
template <class Info, class F, class T>
Info query_info(F function, T *of) {
    Info info{};
    info.size = sizeof info;
    REQUIRE(call(function, of, &info) == ok);
    return info;
}
} // namespace

kdevx_context_info info_of(kdevx_context *c) {
    return query_info<kdevx_context_info>(kdevx_context_get_info, c);
}
kdevx_uar_info info_of(kdevx_uar *u) {
    return query_info<kdevx_uar_info>(kdevx_uar_get_info, u);
}
kdevx_umem_info info_of(kdevx_umem *u) {
    return query_info<kdevx_umem_info>(kdevx_umem_get_info, u);
}
kdevx_object_info info_of(kdevx_object *o) {
    return query_info<kdevx_object_info>(kdevx_object_get_info, o);
}

outcome general(kdevx_context *c, exchange &x) {
    x.out.fill(std::byte(0x5a));
    return call(kdevx_general_cmd, c, x.in.data(), x.in.size(), x.out.data(), x.out.size());
}
outcome query(kdevx_object *o, exchange &x) {
    x.out.fill(std::byte(0x5a));
    return call(kdevx_object_query, o, x.in.data(), x.in.size(), x.out.data(), x.out.size());
}
outcome modify(kdevx_object *o, exchange &x) {
    x.out.fill(std::byte(0x5a));
    return call(kdevx_object_modify, o, x.in.data(), x.in.size(), x.out.data(), x.out.size());
}
outcome create(kdevx_context *c, exchange &x, object_ptr &made) {
    x.out.fill(std::byte(0x5a));
    kdevx_object *o = nullptr;
    outcome got = call(kdevx_object_create, c, x.in.data(), x.in.size(), x.out.data(),
                       x.out.size(), &o);
    CHECK((o != nullptr) == (got.err == 0));
    made.reset(o);
    return got;
}
object_ptr create(kdevx_context *c, exchange &x) {
    object_ptr made;
    INFO(x.row.name);
    REQUIRE(create(c, x, made) == ok);
    return made;
}

uar_ptr alloc_uar(kdevx_context *c, std::uint32_t type) {
    kdevx_uar *u = nullptr;
    REQUIRE(call(kdevx_uar_alloc, c, &type, std::size_t(1), &u) == ok);
    return uar_ptr(u);
}

umem_ptr reg_umem(kdevx_context *c, void *at, std::size_t size, std::uint32_t access) {
    kdevx_umem_options options{};
    options.size = sizeof options;
    options.access = access;
    kdevx_umem *u = nullptr;
    REQUIRE(call(kdevx_umem_reg, c, at, size, &options, &u) == ok);
    return umem_ptr(u);
}

bench::~bench() {
    while (!made_.empty())
        made_.pop_back();
}

std::byte *bench::memory() {
    if (!memory_) memory_ = std::make_unique<pages>(memory_size);
    return memory_->data();
}

kdevx_umem *bench::umem() {
    if (!umem_) umem_ = reg_umem(context(), memory(), memory_size, KDEVX_ACCESS_LOCAL_WRITE);
    return umem_.get();
}

kdevx_uar *bench::uar() {
    if (!uar_) uar_ = alloc_uar(context(), KDEVX_UAR_NC_DEDICATED);
    return uar_.get();
}

kdevx_object *bench::holder(resource r) const {
    for (const auto &[what, o] : made_)
        if (what == r) return o.get();
    return nullptr;
}

void bench::abandon() {
    for (auto &[what, o] : made_)
        o.release();
    umem_.release();
    uar_.release();
}

std::uint64_t bench::operator[](resource r) {
    if (r == resource::address) return std::uintptr_t(memory());
    if (r == resource::uar_page) return info_of(uar()).page_id;
    if (r == resource::umem) return info_of(umem()).id;
    if (r == resource::eqn) {
        std::uint32_t eqn = 0;
        REQUIRE(call(kdevx_eqn_query, context(), 0u, &eqn) == ok);
        return eqn;
    }
    if (!holder(r)) {
        exchange x = recipe(r);
        object_ptr o = create(x);
        made_.emplace_back(r, std::move(o));
    }
    return info_of(holder(r)).device_id & 0xffffff;
}

namespace {
// A work queue of 64 strides of 64 bytes.
void put_wq(exchange &x, bench &b) {
    x.set("ctx.wq.wq_type", prm::value_of<prm::wq_types, "CYCLIC">);
    x.set("ctx.wq.pd", b[resource::pd]);
    x.set("ctx.wq.log_wq_stride", 6).set("ctx.wq.log_wq_sz", 6);
    x.set("ctx.wq.wq_umem_id", b[resource::umem]).set("ctx.wq.wq_umem_offset", bench::ring);
    x.set("ctx.wq.dbr_umem_id", b[resource::umem]).set("ctx.wq.dbr_addr", bench::record);
}
} // namespace

exchange bench::recipe(resource r) {
    switch (r) {
    case resource::pd: return exchange("ALLOC_PD");
    case resource::transport_domain: return exchange("ALLOC_TRANSPORT_DOMAIN");
    case resource::xrcd: return exchange("ALLOC_XRCD");
    case resource::cqn: return cq();
    case resource::tisn: {
        exchange x("CREATE_TIS");
        return x.set("ctx.transport_domain", (*this)[resource::transport_domain]);
    }
    case resource::rmpn: {
        exchange x("CREATE_RMP");
        put_wq(x, *this);
        return x.set("ctx.state", prm::value_of<prm::rmpc_states, "RDY">);
    }
    case resource::rqn: {
        exchange x("CREATE_RQ");
        put_wq(x, *this);
        return x.set("ctx.cqn", (*this)[resource::cqn]);
    }
    default: {
        exchange x("CREATE_SQ");
        put_wq(x, *this);
        x.set("ctx.wq.uar_page", (*this)[resource::uar_page]);
        x.set("ctx.tis_lst_sz", 1).set("ctx.tis_num_0", (*this)[resource::tisn]);
        return x.set("ctx.cqn", (*this)[resource::cqn]);
    }
    }
}

exchange bench::cq(unsigned log_size) {
    exchange x("CREATE_CQ");
    x.set("cq_context.log_cq_size", log_size);
    x.set("cq_context.uar_page", (*this)[resource::uar_page]);
    x.set("cq_context.c_eqn_or_apu_element", (*this)[resource::eqn]);
    x.set("cq_umem_id", (*this)[resource::umem]).set("cq_umem_offset", ring);
    x.set("cq_context.dbr_umem_id", (*this)[resource::umem]);
    x.set("cq_context.dbr_addr", record);
    return x;
}

exchange bench::qp(std::string_view service_type) {
    exchange x("CREATE_QP");
    const auto *st = prm::qpc_service_types.find(service_type);
    x.set("qpc.st", st->number);
    x.set("qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">);
    x.set("qpc.pd", (*this)[resource::pd]);
    x.set("qpc.cqn_snd", (*this)[resource::cqn]).set("qpc.cqn_rcv", (*this)[resource::cqn]);
    x.set("qpc.uar_page", (*this)[resource::uar_page]);
    x.set("qpc.log_rq_size", 4).set("qpc.log_rq_stride", 2).set("qpc.log_sq_size", 4);
    x.set("qpc.user_index", 0x4b4b4b);
    x.set("wq_umem_id", (*this)[resource::umem]).set("wq_umem_offset", 0x10000);
    x.set("qpc.dbr_umem_id", (*this)[resource::umem]).set("qpc.dbr_addr", record + 64);
    return x;
}

exchange bench::mkey() {
    exchange x("CREATE_MKEY");
    x.set("memory_key_mkey_entry.access_mode_1_0", prm::value_of<prm::mkc_access_modes, "MTT">);
    x.set("memory_key_mkey_entry.lr", 1).set("memory_key_mkey_entry.lw", 1);
    x.set("memory_key_mkey_entry.qpn", 0xffffff);
    x.set("memory_key_mkey_entry.pd", (*this)[resource::pd]);
    x.set("memory_key_mkey_entry.start_addr", (*this)[resource::address]);
    x.set("memory_key_mkey_entry.len", memory_size);
    x.set("memory_key_mkey_entry.log_page_size", 12);
    x.set("memory_key_mkey_entry.translations_octword_size", memory_size / 4096 / 2);
    x.set("translations_octword_actual_size", memory_size / 4096 / 2);
    return x.set("mkey_umem_id", (*this)[resource::umem]);
}

} // namespace kdevx::vm
