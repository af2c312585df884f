// SPDX-License-Identifier: MIT
// Memory barriers between the CPU, ordinary memory that the device reads and writes by DMA, and the
// device's registers. A doorbell is always rung in this order:
//
//     WQE stores   to_device()   doorbell record   before_register()   register   flush_registers()
//
// so that a device that sees the register sees the record, and one that sees the record sees the
// WQEs. A completion is read in this one: owner bit, from_device(), the rest of the CQE.
#pragma once

namespace kdevx::wq {

#if defined(__x86_64__) || defined(__i386__)

// Stores to write-back memory become visible in program order, and so do the device's.
inline void to_device() noexcept {
    asm volatile("" ::: "memory");
}
inline void from_device() noexcept {
    asm volatile("" ::: "memory");
}
// Write-combining registers are ordered by nothing but a fence.
inline void before_register() noexcept {
    asm volatile("sfence" ::: "memory");
}
inline void flush_registers() noexcept {
    asm volatile("sfence" ::: "memory");
}

#elif defined(__aarch64__)

inline void to_device() noexcept {
    asm volatile("dmb oshst" ::: "memory");
}
inline void from_device() noexcept {
    asm volatile("dmb oshld" ::: "memory");
}
// A completion barrier: the write buffer must have drained, not only be in order.
inline void before_register() noexcept {
    asm volatile("dsb st" ::: "memory");
}
inline void flush_registers() noexcept {
    asm volatile("dsb st" ::: "memory");
}

#elif defined(__riscv)

// Device memory is input and output to a fence, ordinary memory is read and written.
inline void to_device() noexcept {
    asm volatile("fence w, w" ::: "memory");
}
inline void from_device() noexcept {
    asm volatile("fence r, r" ::: "memory");
}
inline void before_register() noexcept {
    asm volatile("fence ow, ow" ::: "memory");
}
inline void flush_registers() noexcept {
    asm volatile("fence ow, ow" ::: "memory");
}

#else

inline void to_device() noexcept {
    __sync_synchronize();
}
inline void from_device() noexcept {
    __sync_synchronize();
}
inline void before_register() noexcept {
    __sync_synchronize();
}
inline void flush_registers() noexcept {
    __sync_synchronize();
}

#endif

} // namespace kdevx::wq
