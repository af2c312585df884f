// SPDX-License-Identifier: MIT
#include "core/verbs_devx.hpp"

#include "core/registry.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

template <prm::fixed_string Name>
constexpr std::uint16_t opcode = std::uint16_t(prm::value_of<prm::opcodes, Name>);

// ---- what of the registry is wanted here: queries and modifies of what verbs objects are

constexpr std::uint16_t objects[] = {
    opcode<"CREATE_CQ">,  opcode<"CREATE_QP">,  opcode<"CREATE_DCT">, opcode<"CREATE_SRQ">,
    opcode<"CREATE_RMP">, opcode<"CREATE_XRQ">, opcode<"CREATE_SQ">,  opcode<"CREATE_XRC_SRQ">,
    opcode<"CREATE_RQ">,  opcode<"CREATE_RQT">, opcode<"CREATE_TIR">, opcode<"CREATE_TIS">,
};

struct row {
    std::uint16_t opcode = 0, object = 0;
    bool is_query = false;
    std::uint16_t in_size = 0;
    prm::place number{};
};
constexpr bool is_of_verbs(const prm::command &c) {
    if (!c.devx || (c.cls != prm::query && c.cls != prm::modify)) return false;
    for (std::uint16_t o : objects)
        if (o == c.object) return true;
    return false;
}
constexpr row row_of(const prm::command &c) {
    return {c.opcode, c.object, c.cls == prm::query, std::uint16_t(c.in->size), c.id_place()};
}
constexpr auto rows = rows_of_registry<row, is_of_verbs, row_of>();

const row *find(std::uint16_t opcode, bool is_query) {
    for (const row &r : rows)
        if (r.opcode == opcode && r.is_query == is_query) return &r;
    return nullptr;
}
// The first one is the plain QUERY of it.
const row *find_query_of(std::uint16_t object) {
    for (const row &r : rows)
        if (r.object == object && r.is_query) return &r;
    return nullptr;
}

// ---- the inbox that goes to the kernel
// -----------------------------------------------------------

// The caller's, or a copy with the number filled in.
class inbox {
    memory from_;
    std::byte small_[512];
    std::byte *copy_ = nullptr; // small_, or allocated
    const_bytes bytes_;

public:
    inbox(const file &f, const_bytes given) noexcept : from_(f.sys->memory()), bytes_(given) {}
    inbox(const inbox &) = delete;
    ~inbox() {
        if (copy_ != small_) from_.release(from_.arg, copy_);
    }
    const_bytes bytes() const noexcept { return bytes_; }

    // Writable; false: no memory.
    bool copy() noexcept {
        std::size_t n = bytes_.size();
        copy_ =
            n <= sizeof small_ ? small_ : static_cast<std::byte *>(from_.allocate(from_.arg, n));
        if (!copy_) return false;
        std::memcpy(copy_, bytes_.data(), n);
        bytes_ = {copy_, n};
        return true;
    }
    void make_query(const row &r) noexcept {
        copy_ = small_;
        std::memset(small_, 0, r.in_size);
        prm::store_be<std::uint16_t>(small_, r.opcode);
        bytes_ = {small_, r.in_size};
    }
    // False: the number does not fit, or the inbox is too short for it.
    bool set(const prm::place &p, std::uint64_t v) noexcept {
        return p.put({copy_, bytes_.size()}, v);
    }
};

result<void> fill_in(inbox &box, const row &r, std::uint32_t number) {
    if (box.set(r.number, number)) return {};
    return invalid(r.number.row.name.data(), 0, number);
}

result<void> name_it(inbox &box, const row &r, std::uint32_t number) {
    std::uint64_t said = r.number.get(box.bytes());
    if (said == number) return {};
    if (said) return invalid(r.number.row.name.data(), said, number);
    return box.copy() ? fill_in(box, r, number) : no_memory("in");
}

// The command must be one that works on what the object is.
result<void> settle(inbox &box, const verbs_handle &h, bool is_query) {
    std::uint16_t asked = opcode_of(box.bytes());
    const row *r = find(asked, is_query);
    for (const device_id &id : h.ids)
        if (r && id.object == r->object) return name_it(box, *r, id.number);
    return invalid("opcode", asked, h.ids.empty() ? 0 : h.ids.begin()->object);
}

result<void> settle_default(inbox &box, const verbs_handle &h) {
    if (h.ids.empty() || h.ids.several()) return invalid("in");
    const row *r = find_query_of(h.ids.begin()->object);
    box.make_query(*r);
    return fill_in(box, *r, h.ids.begin()->number);
}

// What is no mailbox is refused by the request builder, by the attribute's name.
bool is_mailbox(const_bytes in) {
    return in.data() && in.size() >= 16 && in.size() <= kabi::any_size;
}

// ---- states of QPs
// -------------------------------------------------------------------------------

struct transition {
    std::uint16_t opcode;
    kdevx_qp_state to;
};
constexpr transition transitions[] = {
    {opcode<"RST2INIT_QP">, KDEVX_QPS_INIT}, {opcode<"INIT2INIT_QP">, KDEVX_QPS_INIT},
    {opcode<"INIT2RTR_QP">, KDEVX_QPS_RTR},  {opcode<"RTR2RTS_QP">, KDEVX_QPS_RTS},
    {opcode<"RTS2RTS_QP">, KDEVX_QPS_RTS},   {opcode<"SQERR2RTS_QP">, KDEVX_QPS_RTS},
    {opcode<"2ERR_QP">, KDEVX_QPS_ERR},      {opcode<"2RST_QP">, KDEVX_QPS_RESET},
};

kdevx_qp_state state_of(std::uint64_t qpc_state) {
    switch (qpc_state) {
    case prm::value_of<prm::qpc_states, "RST">:
        return KDEVX_QPS_RESET;
    case prm::value_of<prm::qpc_states, "INIT">:
        return KDEVX_QPS_INIT;
    case prm::value_of<prm::qpc_states, "RTR">:
        return KDEVX_QPS_RTR;
    case prm::value_of<prm::qpc_states, "RTS">:
        return KDEVX_QPS_RTS;
    case prm::value_of<prm::qpc_states, "SQER">:
        return KDEVX_QPS_SQE;
    case prm::value_of<prm::qpc_states, "SQD">:
        return KDEVX_QPS_SQD;
    case prm::value_of<prm::qpc_states, "ERR">:
        return KDEVX_QPS_ERR;
    default:
        return KDEVX_QPS_UNKNOWN;
    }
}

// The handle of an XRC target is a share of the QP, which the kernel takes for mlx5's own
// structure: it compares with what lies behind its end.
result<void> is_mlx5s_own(const qp &q) {
    if (q.type != KDEVX_QP_XRC_TGT) return {};
    return fail(KDEVX_CAUSE_NOT_SUPPORTED, EOPNOTSUPP, "XRC_TGT");
}

result<void> with_belief(const result<void> &r, const qp &q) {
    constexpr std::uint8_t bad_qp_state = prm::value_of<prm::statuses, "BAD_QP_STATE_ERR">;
    if (r || !r.failure().outbox_valid || r.failure().fw_status != bad_qp_state) return r;
    failure f = r.failure();
    f.qp_state_known = 1;
    f.qp_state = q.state;
    return f;
}

} // namespace

device_ids ids_of(const cq &q) noexcept {
    device_ids ids;
    ids.add(opcode<"CREATE_CQ">, q.cqn);
    return ids;
}

device_ids ids_of(const qp &q) noexcept {
    device_ids ids;
    if (q.ind_table) return ids;
    if (q.is_raw_packet()) ids.are_several();
    std::uint8_t has = q.ids;
    if (has & KDEVX_QP_HAS_QPN) ids.add(opcode<"CREATE_QP">, q.qpn);
    if (has & KDEVX_QP_HAS_DCTN) ids.add(opcode<"CREATE_DCT">, q.dctn);
    if (has & KDEVX_QP_HAS_SQN) ids.add(opcode<"CREATE_SQ">, q.sqn);
    if (has & KDEVX_QP_HAS_RQN) ids.add(opcode<"CREATE_RQ">, q.rqn);
    if (has & KDEVX_QP_HAS_TIRN) ids.add(opcode<"CREATE_TIR">, q.tirn);
    if (has & KDEVX_QP_HAS_TISN) ids.add(opcode<"CREATE_TIS">, q.tisn);
    return ids;
}

// A basic SRQ is an RMP to the kernel unless the firmware is so old that it has no ISSI: then an
// inbox can name the older class.
device_ids ids_of(const srq &q) noexcept {
    device_ids ids;
    if (q.type == KDEVX_SRQ_XRC)
        ids.add(opcode<"CREATE_XRC_SRQ">, q.srqn);
    else if (q.type == KDEVX_SRQ_TM)
        ids.add(opcode<"CREATE_XRQ">, q.srqn);
    else
        for (std::uint16_t object : {opcode<"CREATE_RMP">, opcode<"CREATE_SRQ">})
            ids.add(object, q.srqn);
    return ids;
}

device_ids ids_of(const wq &q) noexcept {
    device_ids ids;
    ids.add(opcode<"CREATE_RQ">, q.rqn);
    return ids;
}

device_ids ids_of(const ind_table &t) noexcept {
    device_ids ids;
    ids.add(opcode<"CREATE_RQT">, t.rqtn);
    return ids;
}

result<void> devx_query(const verbs_handle &h, const_bytes in, bytes out) noexcept {
    inbox box(h.file, in);
    bool is_default = !in.data() && in.empty();
    result<void> r = is_default       ? settle_default(box, h)
                     : is_mailbox(in) ? settle(box, h, true)
                                      : result<void>{};
    return r ? query(h.file, h.handle, box.bytes(), out) : r;
}

result<void> devx_modify(const verbs_handle &h, const_bytes in, bytes out) noexcept {
    inbox box(h.file, in);
    result<void> r = is_mailbox(in) ? settle(box, h, false) : result<void>{};
    return r ? modify(h.file, h.handle, box.bytes(), out) : r;
}

// The firmware's own word on the state; beyond the end of a short outbox there is none.
result<void> devx_query_qp(const pin<qp> &q, const_bytes in, bytes out) noexcept {
    result<void> r = is_mlx5s_own(*q);
    if (r) r = devx_query(verbs_handle_of(q), in, out);
    bool of_the_qp =
        in.empty() ? bool(q->ids & KDEVX_QP_HAS_QPN) : opcode_of(in) == opcode<"QUERY_QP">;
    constexpr prm::place state = prm::place_of<prm::query_qp_out, "qpc.state">;
    if (r && of_the_qp && state.inside(out.size(), 0)) q->state = state_of(state.get(out));
    return with_belief(r, *q);
}

result<void> devx_modify_qp(const pin<qp> &q, const_bytes in, bytes out) noexcept {
    result<void> r = is_mlx5s_own(*q);
    if (r) r = devx_modify(verbs_handle_of(q), in, out);
    if (!r) return with_belief(r, *q);
    for (const transition &t : transitions)
        if (t.opcode == opcode_of(in)) q->state = std::uint8_t(t.to);
    return r;
}

} // namespace kdevx::core
