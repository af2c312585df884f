// SPDX-License-Identifier: MIT
// Objects of one uverbs file in two contexts of this library.
#include "verbs.hpp"

#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

const expectation unknown_to_file = failed(ENOENT, KDEVX_CAUSE_INVALID);

context_ptr adopt(kdevx_context *other) {
    kdevx_context *c = nullptr;
    const int fd = dup(kdevx_context_fd(other));
    REQUIRE(fd >= 0);
    REQUIRE(call(kdevx_context_adopt_fd, fd, std::uint32_t(KDEVX_FD_OWNED),
                 static_cast<const kdevx_open_options *>(nullptr), &c) == ok);
    return context_ptr(c);
}

template <class T>
kdevx_exported exported(int (*function)(const T *, kdevx_exported *, kdevx_failure *) noexcept,
                        const T *of) {
    auto e = sized<kdevx_exported>();
    REQUIRE(call(function, of, &e) == ok);
    return e;
}

} // namespace

TEST_CASE("an adopted context tells what the first one was told", "[share]") {
    context_ptr one = open_context(), two = adopt(one.get());
    CHECK(info_of(two.get()).adopted == 1);
    CHECK(info_of(two.get()).has_devx == 1);
    CHECK(info_of(two.get()).num_comp_vectors == info_of(one.get()).num_comp_vectors);
    CHECK(info_of(two.get()).hca_core_clock_offset == info_of(one.get()).hca_core_clock_offset);
    CHECK(info_of(two.get()).cqe_version == info_of(one.get()).cqe_version);
}

TEST_CASE("an object is used by an importer, and ends for both", "[share]") {
    bench b;
    context_ptr two = adopt(b.context());
    object_ptr cq = b.create(b.cq());
    const kdevx_exported e = exported<kdevx_object>(kdevx_object_export, cq.get());
    CHECK(e.kind == KDEVX_KIND_OBJECT);
    object_ptr imported = make<object_ptr>(kdevx_object_import, two.get(), &e);
    CHECK(info_of(imported.get()).device_id == info_of(cq.get()).device_id);
    exchange x("QUERY_CQ");
    x.set("cqn", info_of(cq.get()).device_id & 0xffffff);
    CHECK(query(imported.get(), x) == ok);
    CHECK(call(kdevx_object_destroy, imported.release()) == ok);
    CHECK(query(cq.get(), x) == unknown_to_file);
    CHECK(call(kdevx_object_destroy, cq.get()) == unknown_to_file);
    CHECK(call(kdevx_object_forget, cq.release()) == ok);
}

TEST_CASE("an importer that forgets leaves the object alone", "[share]") {
    bench b;
    context_ptr two = adopt(b.context());
    object_ptr cq = b.create(b.cq());
    const kdevx_exported e = exported<kdevx_object>(kdevx_object_export, cq.get());
    object_ptr imported = make<object_ptr>(kdevx_object_import, two.get(), &e);
    CHECK(call(kdevx_object_forget, imported.release()) == ok);
    exchange x("QUERY_CQ");
    x.set("cqn", info_of(cq.get()).device_id & 0xffffff);
    CHECK(query(cq.get(), x) == ok);
}

TEST_CASE("umems and VARs of a shared file", "[share]") {
    bench b;
    context_ptr two = adopt(b.context());
    kdevx_exported e = exported<kdevx_umem>(kdevx_umem_export, b.umem());
    umem_ptr umem = make<umem_ptr>(kdevx_umem_import, two.get(), &e);
    CHECK(info_of(umem.get()).id == info_of(b.umem()).id);
    CHECK(info_of(umem.get()).length == bench::memory_size);
    CHECK(info_of(umem.get()).address == nullptr);
    // What one of them holds, the other cannot end.
    object_ptr key = b.create(b.mkey());
    CHECK(call(kdevx_umem_dereg, umem.get()) == failed(EBUSY, KDEVX_CAUSE_BUSY));
    CHECK(call(kdevx_umem_forget, umem.release()) == ok);

    using var_ptr = std::unique_ptr<kdevx_var, ending<kdevx_var_free>>;
    var_ptr var = make<var_ptr>(kdevx_var_alloc, b.context(), 0u);
    e = exported<kdevx_var>(kdevx_var_export, var.get());
    var_ptr imported = make<var_ptr>(kdevx_var_import, two.get(), &e);
    CHECK(tell(kdevx_var_get_info, view(imported)).mmap_off == e.mmap_off);
    CHECK(refusal_of<umem_ptr>(kdevx_umem_import, two.get(),
                               static_cast<const kdevx_exported *>(&e)) == invalid);
    CHECK(call(kdevx_var_free, imported.release()) == ok);
    CHECK(call(kdevx_var_forget, var.release()) == ok);
}
