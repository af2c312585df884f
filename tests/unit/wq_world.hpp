// SPDX-License-Identifier: MIT
// Queues over memory of the test, and the little of a device that is needed to complete what they
// post.
#pragma once

#include "wq/cq.hpp"
#include "wq/task.hpp"

#include <memory>
#include <vector>

namespace world {

using namespace kdevx;
using namespace kdevx::wq;

inline constexpr std::uint8_t RST = 0, INIT = 1, RTR = 2, RTS = 3, ERR = 6;

// 64-byte aligned memory that frees itself.
class memory {
    struct free_it {
        void operator()(std::byte *p) const { std::free(p); }
    };
    std::unique_ptr<std::byte, free_it> p_;
    std::size_t size_;

public:
    explicit memory(std::size_t size, std::uint8_t fill = 0)
        : p_(static_cast<std::byte *>(std::aligned_alloc(64, (size + 63) / 64 * 64))), size_(size) {
        std::memset(p_.get(), fill, size);
    }
    std::span<std::byte> span() { return {p_.get(), size_}; }
    std::byte *data() { return p_.get(); }
    std::size_t size() const { return size_; }
};

struct uar {
    memory page{4096};
    uar_register reg;
    uar() {
        reg.page = page.data();
        reg.reg = page.data() + prm::MLX5_BF_OFFSET;
    }
    std::uint64_t send_doorbell(std::size_t offset = 0) {
        return prm::load_be<std::uint64_t>(reg.reg + offset);
    }
    std::uint64_t cq_doorbell() {
        return prm::load_be<std::uint64_t>(reg.page + prm::MLX5_CQ_DOORBELL);
    }
};

struct pair_options {
    std::uint32_t wqebbs = 8;
    std::uint32_t receives = 8;
    std::uint32_t stride = 64;
    std::uint32_t max_sge = 4, max_receive_sge = 3;
    std::uint32_t max_inline = 256;
    wq::transport transport = wq::transport::rc;
    bool master = false, managed_send = false, managed_receive = false;
    bool signature = false, ignore_overflow = false, signal_all = false;
    send_enable_unit unit = default_send_enable_unit;
};

// A queue pair in RTS.
struct pair {
    memory sq_ring, rq_ring, record{64};
    std::vector<send_slot> slots;
    std::vector<std::uint64_t> wr_ids;
    uar own_uar;
    queue_pair qp;
    error sq_error, rq_error;

    explicit pair(std::uint32_t number, const pair_options &o = {})
        : sq_ring(o.wqebbs * 64, 0xa5), rq_ring(o.receives * o.stride, 0xa5), slots(o.wqebbs),
          wr_ids(o.receives) {
        send_ring_config s;
        s.buffer = sq_ring.span();
        s.slots = slots;
        s.doorbell_record = record.data();
        s.uar = &own_uar.reg;
        s.qpn_or_sqn = number;
        s.transport = o.transport;
        s.max_sge = o.max_sge;
        s.max_inline = o.max_inline;
        s.signal_all = o.signal_all;
        s.signature = o.signature;
        s.master = o.master;
        s.managed = o.managed_send;
        s.ignore_overflow = o.ignore_overflow;
        s.enable_unit = o.unit;
        sq_error = qp.sq.init(s);
        receive_ring_config r;
        r.buffer = rq_ring.span();
        r.stride = o.stride;
        r.wr_ids = wr_ids;
        r.doorbell_record = record.data();
        r.number = number;
        r.max_sge = o.max_receive_sge;
        r.signature = o.signature;
        r.managed = o.managed_receive;
        r.ignore_overflow = o.ignore_overflow;
        rq_error = qp.rq.init(r);
        qp.state = RTS;
    }
    std::uint32_t send_record() { return prm::load_be<std::uint32_t>(record.data() + 4); }
    std::uint32_t receive_record() { return prm::load_be<std::uint32_t>(record.data()); }
    // Retires everything that was posted, as if its last WQE had completed.
    void drain() {
        if (qp.sq.producer() == 0) return;
        const std::uint32_t last = qp.sq.producer();
        for (std::uint32_t back = 1; back <= 16 && qp.sq.free_wqebbs() != qp.sq.wqebbs(); ++back)
            qp.sq.retire(std::uint16_t(last - back));
    }
    // Moves the producer on by that many WQEBBs, with completed NOPs.
    void advance(std::uint32_t wqebbs) {
        send_request nop;
        nop.op = send_op::nop;
        for (; wqebbs != 0; --wqebbs) {
            const std::uint16_t at = std::uint16_t(qp.sq.producer());
            if (qp.sq.post(nop) != error::none || !qp.sq.retire(at)) std::abort();
        }
    }
};

struct cq_world {
    memory ring, record{64};
    std::vector<queue_entry> places;
    uar own_uar;
    wq::cq cq;
    queue_table queues;
    error cq_error;
    std::uint32_t produced = 0;
    std::uint32_t entries, cqe_size;

    explicit cq_world(std::uint32_t n = 8, std::uint32_t size = 64, bool by_user_index = false)
        : ring(std::size_t(n) * size), places(16), entries(n), cqe_size(size) {
        cq_config c;
        c.buffer = ring.span();
        c.cqe_size = size;
        c.doorbell_record = record.data();
        c.uar = &own_uar.reg;
        c.cqn = 0xc0de;
        c.by_user_index = by_user_index;
        cq_error = cq.init(c);
        queues.init(places);
    }
    std::uint32_t consumer_record() { return prm::load_be<std::uint32_t>(record.data()); }
    std::uint32_t arm_record() { return prm::load_be<std::uint32_t>(record.data() + 4); }

    // The device: fields of the CQE as (offset, value) of whole dwords, then the owner bit.
    struct dword {
        std::uint32_t offset, value;
    };
    std::byte *write_cqe(std::uint8_t op_and_format, std::initializer_list<dword> fields) {
        std::byte *cqe = ring.data() + std::size_t(produced % entries) * cqe_size + (cqe_size - 64);
        std::memset(cqe, 0, 63);
        for (dword d : fields)
            prm::store_be(cqe + d.offset, d.value);
        const std::uint8_t owner = produced / entries & 1;
        cqe[63] = std::byte(op_and_format | owner);
        ++produced;
        return cqe;
    }
    std::byte *complete_send(std::uint32_t qpn, std::uint16_t counter) {
        return write_cqe(0x00, {{0x38, 0x0a000000 | qpn}, {0x3c, std::uint32_t(counter) << 16}});
    }
    completion poll_one() {
        completion c{};
        c.what = completed::unknown;
        polled = cq.poll({&c, 1}, queues);
        return c;
    }
    std::size_t polled = 0;
};

} // namespace world
