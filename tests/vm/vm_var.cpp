// SPDX-License-Identifier: MIT
// VAR pages, and pages of the device as dmabufs.
#include "verbs.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

using var_ptr = std::unique_ptr<kdevx_var, ending<kdevx_var_free>>;

var_ptr make_var(kdevx_context *c) {
    return make<var_ptr>(kdevx_var_alloc, c, 0u);
}
kdevx_var_info info_of(const var_ptr &v) {
    return tell(kdevx_var_get_info, view(v));
}

} // namespace

TEST_CASE("a VAR is a page to map", "[var]") {
    context_ptr c = open_context();
    var_ptr one = make_var(c.get()), two = make_var(c.get());
    const auto info = info_of(one);
    CHECK(info.length == 4096);
    CHECK(info.page_id != info_of(two).page_id);
    CHECK(info.mmap_off != info_of(two).mmap_off);
    void *page = mmap(nullptr, info.length, PROT_READ | PROT_WRITE, MAP_SHARED,
                      kdevx_context_fd(c.get()), off_t(info.mmap_off));
    REQUIRE(page != MAP_FAILED);
    *static_cast<volatile std::uint32_t *>(page) = 1; // rings nobody
    CHECK(munmap(page, info.length) == 0);
}

TEST_CASE("a VAR needs no DEVX", "[var]") {
    context_ptr c = open_context(KDEVX_DEVX_NEVER);
    CHECK(info_of(make_var(c.get())).length == 4096);
}

TEST_CASE("VARs come to an end, and come back", "[var]") {
    context_ptr c = open_context();
    std::vector<var_ptr> all;
    outcome got;
    for (var_ptr v; (got = attempt(v, kdevx_var_alloc, c.get(), 0u)) == ok;)
        all.push_back(std::move(v));
    CHECK(got == failed(ENOSPC, KDEVX_CAUSE_LIMIT));
    CHECK(all.size() == 64);
    all.clear();
    make_var(c.get());
}

TEST_CASE("flags of a VAR", "[var]") {
    context_ptr c = open_context();
    CHECK(refusal_of<var_ptr>(kdevx_var_alloc, c.get(), 8u) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    const outcome tlp = refusal_of<var_ptr>(kdevx_var_alloc, c.get(), unsigned(KDEVX_VAR_TLP));
    if (kernel() < version{7, 2})
        CHECK(tlp == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
    else
        CHECK(tlp == failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED));
}

TEST_CASE("pages of the device as dmabufs", "[var]") {
    context_ptr c = open_context();
    var_ptr var = make_var(c.get());
    uar_ptr uar = alloc_uar(c.get(), KDEVX_UAR_NC_DEDICATED);
    int of_var = -1, of_uar = -1;
    const outcome var_got = call(kdevx_var_export_dmabuf, var.get(), &of_var),
                  uar_got = call(kdevx_uar_export_dmabuf, uar.get(), &of_uar);
    if (kernel() < version{7, 2}) {
        CHECK(var_got == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
        CHECK(uar_got == failed(EPROTONOSUPPORT, KDEVX_CAUSE_KERNEL_TOO_OLD));
        CHECK(of_var == -1);
        return;
    }
    REQUIRE(var_got == ok);
    REQUIRE(uar_got == ok);
    CHECK(fcntl(of_var, F_GETFD) == FD_CLOEXEC);
    // It is for importers that do not pin, and umems are pinned.
    kdevx_umem *umem = nullptr;
    CHECK(call(kdevx_umem_reg_dmabuf, c.get(), of_uar, std::uint64_t(0), std::uint64_t(4096),
               static_cast<const kdevx_umem_options *>(nullptr), &umem)
              .err != 0);
    close(of_var);
    close(of_uar);
}
