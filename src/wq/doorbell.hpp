// SPDX-License-Identifier: MIT
// Doorbells: the records in memory and the registers of a UAR page, in the order of barrier.hpp.
// Each function takes the bus it works on, so that a test can record what happens in which order.
#pragma once

#include "kdevx/prm/doorbell.hpp"
#include "kdevx/prm/wqe.hpp"
#include "wq/barrier.hpp"
#include "wq/words.hpp"

namespace kdevx::wq {

// A doorbell register and the page it is in. One object for everybody who writes to the register;
// what it is like does not change once a queue uses it.
struct uar_register {
    std::byte *page = nullptr; // mapped, at the beginning of the 4 KiB page of the device
    std::byte *reg = nullptr;  // the send doorbell, MLX5_BF_OFFSET or further
    std::uint32_t bf_size = 0; // bytes of one of the two BlueFlame halves; 0: 8-byte doorbells only
    std::uint32_t bf_offset = 0;  // which half is next
    bool write_combining = false; // how the page is mapped
    // Several threads ring it, and a combined write of one must not be torn by another's.
    bool shared = false;
    bool locked = false;
};

// The real one: memory, barriers and registers of this machine.
struct device_bus {
    static void to_device() noexcept { wq::to_device(); }
    static void before_register() noexcept { wq::before_register(); }
    static void flush_registers() noexcept { wq::flush_registers(); }

    static void write_record(std::byte *record, std::uint32_t be) noexcept {
        *reinterpret_cast<volatile std::uint32_t *>(record) = be;
    }
    // Eight bytes in memory order, as one store where the CPU has one.
    static void write_register(std::byte *reg, const std::byte *from) noexcept {
        if constexpr (sizeof(void *) == 8) {
            std::uint64_t v;
            std::memcpy(&v, from, sizeof v);
            *reinterpret_cast<volatile std::uint64_t *>(reg) = v;
        } else {
            std::uint32_t v[2];
            std::memcpy(v, from, sizeof v);
            reinterpret_cast<volatile std::uint32_t *>(reg)[0] = v[0];
            reinterpret_cast<volatile std::uint32_t *>(reg)[1] = v[1];
        }
    }
    static void lock(bool &l) noexcept {
        while (__atomic_exchange_n(&l, true, __ATOMIC_ACQUIRE)) {
        }
    }
    static void unlock(bool &l) noexcept { __atomic_store_n(&l, false, __ATOMIC_RELEASE); }
};

// Which WQE a send doorbell announces, and the ring it lies in.
struct last_wqe {
    const std::byte *wqe;
    const std::byte *ring, *ring_end;
    std::uint32_t size; // bytes to copy by BlueFlame, a multiple of 64; 0: do not
};

template <class Bus>
inline void copy_blue_flame(std::byte *reg, const last_wqe &w) noexcept {
    const std::byte *from = w.wqe;
    for (std::uint32_t done = 0; done < w.size; done += 8) {
        Bus::write_register(reg + done, from);
        from += 8;
        if (from == w.ring_end) from = w.ring;
    }
}

// A half-filled combining buffer may leave the CPU late: nobody else may write until it has, and on
// 32-bit CPUs a doorbell is two stores.
inline bool needs_lock(const uar_register &u) noexcept {
    return u.shared && (u.write_combining || sizeof(void *) == 4);
}

template <class Bus, class Write>
inline void write_locked(uar_register &u, Write write) noexcept {
    const bool guard = needs_lock(u);
    if (guard) [[unlikely]]
        Bus::lock(u.locked);
    Bus::before_register();
    write();
    if (u.write_combining) Bus::flush_registers();
    if (guard) [[unlikely]]
        Bus::unlock(u.locked);
}

template <class Bus = device_bus>
inline void write_uar(uar_register &u, const last_wqe &w) noexcept {
    write_locked<Bus>(u, [&]() noexcept {
        if (u.bf_size == 0) return Bus::write_register(u.reg, w.wqe);
        std::byte *half = u.reg + u.bf_offset;
        if (w.size != 0 && w.size <= u.bf_size)
            copy_blue_flame<Bus>(half, w);
        else
            Bus::write_register(half, w.wqe);
        u.bf_offset ^= u.bf_size;
    });
}

// The big-endian word of a record whose field is a counter.
template <const auto &Record, prm::fixed_string Name>
inline std::uint32_t record_word(std::uint32_t counter) noexcept {
    constexpr prm::field row = prm::place_of<Record, Name>.row;
    return prm::to_from_be(std::uint32_t((counter & prm::width_mask(row.width())) << row.lo));
}

// Stores a counter into a record, once the device can see what it counts.
template <const auto &Record, prm::fixed_string Name, class Bus>
inline void write_counter(std::byte *record, std::uint32_t counter) noexcept {
    Bus::to_device();
    Bus::write_record(record + prm::place_of<Record, Name>.row.offset,
                      record_word<Record, Name>(counter));
}

template <class Bus = device_bus>
inline void write_send_record(std::byte *record, std::uint32_t counter) noexcept {
    write_counter<prm::qp_doorbell_record, "send_counter", Bus>(record, counter);
}

template <class Bus = device_bus>
inline void ring_send(std::byte *record, std::uint32_t counter, uar_register &u,
                      const last_wqe &w) noexcept {
    write_send_record<Bus>(record, counter);
    write_uar<Bus>(u, w);
}

// Receive queues have no register: the record says it all.
template <class Bus = device_bus>
inline void ring_receive(std::byte *record, std::uint32_t counter) noexcept {
    write_counter<prm::qp_doorbell_record, "receive_counter", Bus>(record, counter);
}

template <class Bus = device_bus>
inline void update_consumer(std::byte *record, std::uint32_t index) noexcept {
    using prm::cq_doorbell_record;
    // The device may overwrite what it is told was consumed: all reads come first.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    Bus::write_record(record + prm::place_of<cq_doorbell_record, "update_ci">.row.offset,
                      record_word<cq_doorbell_record, "update_ci">(index));
}

template <class Bus = device_bus>
inline void arm_cq(std::byte *record, std::uint32_t cqn, std::uint32_t index, std::uint32_t sn,
                   std::uint32_t command, uar_register &u) noexcept {
    using prm::cq_doorbell, prm::cq_doorbell_record;
    std::byte doorbell[cq_doorbell.size];
    put<cq_doorbell, "arm_sn", "arm_cmd", "arm_ci">(doorbell, sn & 3, command, index & 0xffffff);
    put<cq_doorbell, "cqn">(doorbell, cqn);
    std::uint32_t word;
    std::memcpy(&word, doorbell, sizeof word); // the record repeats the doorbell's first word
    Bus::to_device();
    Bus::write_record(record + prm::place_of<cq_doorbell_record, "arm_ci">.row.offset, word);
    write_locked<Bus>(
        u, [&]() noexcept { Bus::write_register(u.page + prm::MLX5_CQ_DOORBELL, doorbell); });
}

} // namespace kdevx::wq
