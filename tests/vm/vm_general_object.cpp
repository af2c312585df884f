// SPDX-License-Identifier: MIT
// General objects: one set of commands for many types, and the type is part of what they are.
#include "async.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {

constexpr auto argument = prm::object_type<"HEADER_MODIFY_ARGUMENT">;
constexpr auto definer = prm::object_type<"MATCH_DEFINER">;

exchange create_argument(std::uint64_t pd) {
    exchange x("CREATE_GENERAL_OBJECT", prm::create_modify_header_arg_in);
    return x.set("hdr.obj_type", argument).set("arg.access_pd", pd);
}

exchange create_definer() {
    exchange x("CREATE_GENERAL_OBJECT", prm::create_match_definer_in);
    x.set("general_obj_in_cmd_hdr.obj_type", definer);
    return x.set("obj_context.format_select_dw0", 0x31).set("obj_context.match_mask", 0xa5a5a5a5, 3);
}

exchange about(std::string_view command, std::uint16_t type, std::uint64_t id, std::size_t more = 0) {
    exchange x(command, 0, more);
    return x.set("obj_type", type).set("obj_id", id);
}

std::uint64_t id_of(kdevx_object *o) {
    return info_of(o).device_id;
}

} // namespace

TEST_CASE("a general object is what it was created as", "[objects]") {
    bench b;
    exchange x = create_definer();
    object_ptr o = b.create(x);
    CHECK(info_of(o.get()).obj_type == definer);
    exchange look = about("QUERY_GENERAL_OBJECT", definer, id_of(o.get()), prm::match_definer.size);
    REQUIRE(query(o.get(), look) == ok);
    CHECK(look.get("obj_id") == id_of(o.get()));
    CHECK(std::memcmp(look.out.data() + 0x10, x.in.data() + 0x10, prm::match_definer.size) == 0);
    CHECK(call(kdevx_object_destroy, o.release()) == ok);
}

TEST_CASE("a general object is modified", "[objects]") {
    bench b;
    exchange made = create_argument(b[resource::pd]);
    object_ptr o = b.create(made);
    object_ptr second_pd = b.create(exchange("ALLOC_PD"));
    exchange change("MODIFY_GENERAL_OBJECT", prm::create_modify_header_arg_in);
    change.set("hdr.obj_type", argument).set("hdr.obj_id", id_of(o.get()));
    change.set("arg.access_pd", id_of(second_pd.get()));
    const outcome got = modify(o.get(), change);
    CAPTURE(got);
    CHECK(got == ok);
    exchange look = about("QUERY_GENERAL_OBJECT", argument, id_of(o.get()), prm::modify_header_arg.size);
    REQUIRE(query(o.get(), look) == ok);
    const prm::place access_pd = prm::find_place(prm::modify_header_arg, "access_pd");
    CHECK(access_pd.get(std::span(look.out.bytes()).subspan(0x10)) == id_of(second_pd.get()));
}

TEST_CASE("the type is part of the object", "[objects]") {
    bench b;
    exchange one = create_argument(b[resource::pd]), two = create_definer();
    object_ptr a = b.create(one), d = b.create(two);
    // The right number with the other's type, and the other's number.
    exchange wrong_type = about("QUERY_GENERAL_OBJECT", definer, id_of(a.get()), 0x80);
    CHECK(query(a.get(), wrong_type) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    exchange other = about("QUERY_GENERAL_OBJECT", definer, id_of(d.get()), 0x80);
    CHECK(query(a.get(), other) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(query(d.get(), other) == ok);
    exchange tunnel = about("QUERY_GENERAL_OBJECT", definer, id_of(d.get()), 0x80);
    CHECK(query(d.get(), tunnel.set("vhca_tunnel_id", 1)) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

TEST_CASE("a type that the firmware does not have", "[objects]") {
    bench b;
    exchange x = about("CREATE_GENERAL_OBJECT", 0x7ead, 0);
    object_ptr none;
    CHECK(create(b.context(), x, none) == refused(because::unsupported_type));
}

TEST_CASE("an asynchronous query of a general object", "[objects][cmd_comp]") {
    bench b;
    cmd_comp_ptr comp = create_cmd_comp(b.context());
    exchange made = create_definer();
    object_ptr o = b.create(made);
    const exchange look = about("QUERY_GENERAL_OBJECT", definer, id_of(o.get()));
    const outcome got =
        call(kdevx_object_query_async, o.get(), static_cast<const void *>(look.in.data()),
             look.in.size(), std::size_t(0x10 + prm::match_definer.size), std::uint64_t(1), comp.get());
    if (kernel() < version{6, 12}) { // the driver rations these commands and will not wait here
        CHECK(got == failed(EINVAL, KDEVX_CAUSE_INVALID));
        CHECK(kdevx_cmd_comp_in_flight(comp.get()) == 0);
    } else {
        REQUIRE(got == ok);
        CHECK(take(comp.get()).completion.verdict == KDEVX_VERDICT_OK);
    }
}

TEST_CASE("numbers of queue pairs that are reserved are nobody's", "[objects]") {
    constexpr auto reserved = prm::object_type<"RESERVED_QPN">;
    constexpr unsigned log_range = 3, range = 1u << log_range;
    bench b;
    const auto pool = [&](std::uint64_t log) {
        exchange x("CREATE_GENERAL_OBJECT");
        x.set("obj_type", reserved);
        prm::editor<prm::general_obj_create_param>(x.in.span().subspan(0xc, 4))
            .set<"log_obj_range">(log);
        return x;
    };
    exchange x = pool(log_range), too_many = pool(31);
    object_ptr numbers = b.create(x), none;
    CHECK(info_of(numbers.get()).obj_type == reserved);
    const std::uint64_t first = id_of(numbers.get());
    for (unsigned i = 0; i < 2 * range; ++i) {
        object_ptr qp = b.create(b.qp());
        const std::uint64_t number = id_of(qp.get()) & 0xffffff;
        CHECK((number < first || number >= first + range));
    }
    CHECK(create(b.context(), too_many, none) == refused(because::above_capability));
    // A number of the pool is no queue pair.
    exchange look("QUERY_QP");
    CHECK(query(numbers.get(), look.set("qpn", first)) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(call(kdevx_object_destroy, numbers.release()) == ok);
}
