// SPDX-License-Identifier: MIT
// What a program asks a queue to do. Plain data, in host byte order throughout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kdevx::wq {

class cq;
struct queue_pair;

enum class transport : std::uint8_t {
    rc,
    uc,
    ud,
    xrc, // initiator
    dci,
    local, // a send queue that reaches no wire: a raw SQ that waits and enables, a UMR queue
};

enum class send_op : std::uint8_t {
    send,
    send_imm,
    send_inval,
    rdma_write,
    rdma_write_imm,
    rdma_read,
    atomic_cas,
    atomic_add,
    masked_cas,
    masked_add,
    nop,
    local_inval,
    umr,
    wait_cq,
    wait_data,
    wait_time,
    send_enable,
    receive_enable,
    count_, // not an operation: how many there are
};

// Flags of a send request; the first four have the values of IBV_SEND_*.
enum : std::uint32_t {
    send_fence = 1u << 0, // after all earlier RDMA reads and atomics
    send_signaled = 1u << 1,
    send_solicited = 1u << 2,
    send_inline = 1u << 3,
    send_strong_fence = 1u << 4,     // after everything earlier
    send_wait_enable_last = 1u << 5, // ends a group of WAITs or ENABLEs, see enable.hpp
};

struct sge {
    std::uint64_t addr;
    std::uint32_t length;
    std::uint32_t lkey;
};

// Where a datagram goes: the address vector as the WQE holds it, all but key and queue number
// (address.hpp makes one).
struct address {
    alignas(8) std::byte av[0x30];
};

struct remote_memory {
    std::uint64_t addr;
    std::uint32_t rkey;
};
// Fetches the old value into the request's one SGE, whose length is that of the operand.
struct atomic_request {
    std::uint64_t addr;
    std::uint32_t rkey;
    std::uint64_t swap_or_add;
    std::uint64_t compare;
    // Masked only: which bits are swapped and compared. For an addition swap_mask is the field
    // boundary: carries stop after the bits that are set there.
    std::uint64_t swap_mask, compare_mask;
};
struct wait_cq_request {
    wq::cq *cq;
    std::uint32_t count; // completions after those that earlier groups waited for
};
struct wait_data_request {
    std::uint64_t addr; // of eight bytes, aligned to eight; wait_time takes none
    std::uint32_t lkey;
    std::uint8_t condition; // prm::wait_condition<>
    bool invert;
    bool fail_to_error_cqe; // complete with an error instead of trying again
    std::uint64_t value, mask;
};
struct enable_request {
    queue_pair *target;
    std::uint32_t
        count; // work requests after those that earlier groups enabled; 0: all posted ones
};
struct umr_request {
    std::uint32_t mkey = 0;
    std::uint64_t mkey_mask = 0;        // prm::mkey_mask<>: what of the context is changed
    const std::byte *context = nullptr; // an mkc, 64 bytes
    std::uint8_t check = 0;             // prm::umr_check<>
    bool translation_offset = false;    // the entries replace those from xlt_offset on
    std::uint64_t xlt_offset = 0;       // in octowords
    std::span<const std::byte> xlt{};   // entries (mtt, klm, ...) to put into the WQE,
    sge xlt_at{};                       // or where they are, when its length is not 0
    std::span<const std::byte> bsf{};   // signature description behind inline entries
};

struct datagram {
    const address *to;
    std::uint32_t qpn; // or DCT number
    std::uint32_t q_key;
    std::uint64_t dc_key;
};

struct send_request {
    std::uint64_t wr_id = 0;
    const send_request *next = nullptr;
    const sge *sg_list = nullptr;
    std::uint32_t num_sge = 0;
    send_op op = send_op::send;
    std::uint32_t flags = 0;
    std::uint32_t imm_or_rkey = 0; // immediate, or the key to invalidate here or there
    union {
        remote_memory rdma;
        atomic_request atomic;
        wait_cq_request wait;
        wait_data_request wait_data;
        enable_request enable;
        const umr_request *umr;
    };
    datagram to{}; // UD and DC
    std::uint32_t xrc_srqn = 0;

    send_request() noexcept : atomic{} {}
};

struct receive_request {
    std::uint64_t wr_id = 0;
    const receive_request *next = nullptr;
    const sge *sg_list = nullptr;
    std::uint32_t num_sge = 0;
};

} // namespace kdevx::wq
