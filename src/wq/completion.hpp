// SPDX-License-Identifier: MIT
// What a program learns from a CQE.
#pragma once

#include "kdevx/prm/cqe.hpp"
#include "wq/error.hpp"
#include "wq/work_request.hpp"

namespace kdevx::wq {

// What was completed: a send_op, or one of these.
enum class completed : std::uint8_t {
    receive = 0x80,
    receive_rdma_imm = 0x81, // an RDMA write that took a receive for its immediate
    signature_error = 0x82,  // no work request: a memory key's signature did not match
    unknown = 0xff,
};
constexpr completed completed_send(send_op op) {
    return completed(op);
}

enum : std::uint8_t {
    completion_has_imm = 1u << 0,
    completion_has_inval = 1u << 1, // `imm_or_rkey` was invalidated by the peer
    completion_has_grh = 1u << 2,   // in the first 40 bytes of the buffer (UD)
    completion_solicited = 1u << 3,
};

struct completion {
    std::uint64_t wr_id;
    queue_pair *qp;            // null for a receive of an XRC SRQ, and when `problem` says so
    std::uint32_t qpn;         // of this side
    std::uint32_t byte_len;    // of a receive, read or atomic
    std::uint32_t imm_or_rkey; // of a signature_error: the key
    std::uint32_t src_qp;
    std::uint16_t slid;
    std::uint16_t wqe_counter;
    completed what;
    std::uint8_t flags;
    std::uint8_t sl, path_bits;
    // Of the device: 0 is success, otherwise prm::cqe_syndromes tells its name and meaning.
    std::uint8_t syndrome, vendor_error;
    // Of this library: why the completion could not be matched to a work request.
    error problem;

    bool ok() const noexcept { return syndrome == 0 && problem == error::none; }
};

// "REMOTE_ACCESS_ERR" and what it means; "UNKNOWN" and "" for a syndrome the tables do not have.
std::string_view syndrome_name(std::uint8_t syndrome) noexcept;
std::string_view syndrome_text(std::uint8_t syndrome) noexcept;

// qpc.cs_req and cs_res for at most that many bytes of response or receive data in the CQE, with
// CQEs of that size. False: CQEs hold no more than 32 or 64 bytes.
bool requester_scatter(std::uint32_t bytes, std::uint32_t cqe_size, std::uint8_t &cs_req) noexcept;
bool responder_scatter(std::uint32_t bytes, std::uint32_t cqe_size, std::uint8_t &cs_res) noexcept;
// cqc.cqe_sz of CQEs of that size. False: there are CQEs of 64 and of 128 bytes.
bool cqe_size_field(std::uint32_t cqe_size, std::uint8_t &cqe_sz) noexcept;

} // namespace kdevx::wq
