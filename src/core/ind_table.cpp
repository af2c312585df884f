// SPDX-License-Identifier: MIT
#include <cstring>

#include "core/ending.hpp"
#include "core/wq.hpp"
#include "core/write_command.hpp"
#include "kabi/memory.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

void drop_table(slot &s) noexcept {
    memory m = s.context->sys().memory();
    m.release(m.arg, s.body<ind_table>().wqs);
}

bool ind_table_uses(const slot &holder, const slot &used) noexcept {
    const ind_table &t = holder.body<ind_table>();
    for (std::size_t i = 0; i < std::size_t(1) << t.log_size; ++i)
        if (t.wqs[i] == &used) return true;
    return false;
}

// The inbox (its header and the handles, padded to 8 bytes), and who the handles are.
class request {
    memory from_;
    std::size_t count_;
    std::byte *inbox_;
    const slot **wqs_;

public:
    request(context &c, std::uint32_t log_size) noexcept
        : from_(c.sys().memory()), count_(std::size_t(1) << log_size),
          inbox_(static_cast<std::byte *>(from_.allocate(from_.arg, inbox_size()))),
          wqs_(static_cast<const slot **>(from_.allocate(from_.arg, count_ * sizeof *wqs_))) {
        if (!*this) return;
        const std::uint32_t header[] = {0, log_size}; // comp_mask first
        static_assert(sizeof header == header_size);
        std::memset(inbox_, 0, inbox_size());
        std::memcpy(inbox_, header, sizeof header);
    }
    request(const request &) = delete;
    ~request() {
        from_.release(from_.arg, inbox_);
        from_.release(from_.arg, wqs_);
    }
    explicit operator bool() const noexcept { return inbox_ && wqs_; }
    std::size_t count() const noexcept { return count_; }
    const_bytes inbox() const noexcept { return {inbox_, inbox_size()}; }
    const slot **disown() noexcept { return std::exchange(wqs_, nullptr); }

    void set(std::size_t i, const pin<wq> &q) noexcept {
        std::uint32_t handle = q.handle();
        std::memcpy(inbox_ + header_size + i * sizeof handle, &handle, sizeof handle);
        wqs_[i] = &q.at();
    }

private:
    static constexpr std::size_t header_size = sizeof(ib_uverbs_ex_create_rwq_ind_table);
    std::size_t inbox_size() const noexcept {
        return header_size + (count_ * sizeof(std::uint32_t) + 7) / 8 * 8;
    }
};

// A WQ that is destroyed between here and the kernel is one that the kernel does not find.
result<void> collect(context &c, kdevx_wq *const *wqs, request &into) {
    for (std::size_t i = 0; i < into.count(); ++i) {
        result<pin<wq>> q = enter<wq>(wqs[i]);
        if (!q) return q.failure();
        if (&q->context() != &c) return invalid("wqs", i);
        into.set(i, *q);
    }
    return {};
}

} // namespace

const noun ind_table::noun{
    KDEVX_KIND_IND_TABLE, "table",
    end_by<kabi::rwq_ind_tbl::destroy, "UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE">, drop_table,
    ind_table_uses};

result<kdevx_ind_table *> create_ind_table(context &c, std::uint32_t log_size,
                                           kdevx_wq *const *wqs) noexcept {
    if (log_size > KDEVX_MAX_LOG_IND_TABLE_SIZE)
        return invalid("log_size", log_size, KDEVX_MAX_LOG_IND_TABLE_SIZE);
    if (!wqs) return invalid("wqs");
    draft<ind_table> d(c);
    request r(c, log_size);
    if (!d || !r) return no_memory("table");
    if (result<void> all = collect(c, wqs, r); !all) return all.failure();
    ib_uverbs_ex_create_rwq_ind_table_resp out{};
    result<void> done =
        write_command_bytes<"IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL">(c.file(), r.inbox(), out);
    if (!done) return done.failure();
    d.handle() = out.ind_tbl_handle;
    d->rqtn = out.ind_tbl_num;
    d->log_size = log_size;
    d->wqs = r.disown();
    return d.publish();
}

} // namespace kdevx::core
