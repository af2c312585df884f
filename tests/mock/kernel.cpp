// SPDX-License-Identifier: MIT
#include "kernel.hpp"

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>

#include "../unit/catch.hpp"
#include "kabi/write.hpp"

namespace mock {

using namespace kdevx;

namespace {

std::mt19937_64 &generator() {
    thread_local std::mt19937_64 g{std::random_device{}()};
    return g;
}

} // namespace

bytes random_bytes(std::size_t n) {
    bytes b(n);
    for (std::byte &x : b)
        x = std::byte(1 + generator()() % 255);
    return b;
}

std::uint64_t random_number() {
    return generator()() | 1;
}

bytes carried(const ib_uverbs_attr &a, kabi::attr_kind kind) {
    const void *from = kind != kabi::ptr_out && a.len <= 8
                           ? static_cast<const void *>(&a.data)
                           : reinterpret_cast<const void *>(std::uintptr_t(a.data));
    bytes b(a.len);
    if (a.len) std::memcpy(b.data(), from, a.len);
    return b;
}

// The entries of the table; each finds its kernel in `arg`.
struct entries {
    static kernel &of(void *arg) { return *static_cast<kernel *>(arg); }

    static int open(void *arg, const char *path, int) {
        kernel &k = of(arg);
        if (int err = k.fails(call::open)) return -err;
        if (k.on_open)
            if (int r = k.on_open(path); r < 0) return r;
        return k.file_ = k.new_fd();
    }
    static int close(void *arg, int fd) {
        kernel &k = of(arg);
        std::lock_guard l(k.lock_);
        ++k.counts_[call::close];
        if (!k.fds.erase(fd)) k.broken_rules.push_back("close of an fd that is not open");
        if (k.on_close) k.on_close(fd);
        if (fd == k.file_) {
            k.handles.clear();
            k.context = false;
        }
        return 0;
    }
    static int ioctl(void *arg, int fd, unsigned long request, void *argument) {
        kernel &k = of(arg);
        std::lock_guard l(k.lock_);
        if (int err = k.fails(call::ioctl)) return -err;
        return k.ioctl(fd, request, static_cast<ib_uverbs_ioctl_hdr *>(argument));
    }
    static std::int64_t read(void *arg, int fd, void *buffer, std::size_t size) {
        kernel &k = of(arg);
        std::lock_guard l(k.lock_);
        if (int err = k.fails(call::read)) return -err;
        return k.on_read ? k.on_read(fd, buffer, size) : k.read(fd, buffer, size);
    }
    static int poll(void *arg, pollfd *p, unsigned, int timeout_ms) {
        kernel &k = of(arg);
        std::unique_lock l(k.lock_);
        if (int err = k.fails(call::poll)) return -err;
        if (k.on_poll) l.unlock(); // it may wait for another thread
        if (k.on_poll) return k.on_poll(p, timeout_ms);
        p->revents = short((k.answers.empty() ? 0 : POLLIN) |
                           (k.removed ? POLLIN | (p->events & POLLRDHUP) : 0));
        if (!p->revents && timeout_ms > 0) k.now += std::int64_t(timeout_ms) * 1000000;
        return p->revents != 0;
    }
    static int fcntl(void *arg, int, int, long) {
        std::lock_guard l(of(arg).lock_);
        return -of(arg).fails(call::fcntl);
    }
    static int mmap(void *arg, std::size_t length, int, int, int, std::uint64_t offset,
                    void **address) {
        kernel &k = of(arg);
        std::lock_guard l(k.lock_);
        if (int err = k.fails(call::mmap)) return -err;
        if (k.on_mmap)
            if (int r = k.on_mmap(length, offset); r < 0) return r;
        *address = std::aligned_alloc(4096, (length + 4095) & ~std::size_t(4095));
        k.mappings[*address] = length;
        return 0;
    }
    static int munmap(void *arg, void *address, std::size_t length) {
        kernel &k = of(arg);
        std::lock_guard l(k.lock_);
        ++k.counts_[call::munmap];
        auto it = k.mappings.find(address);
        if (it == k.mappings.end() || it->second != length)
            k.broken_rules.push_back("munmap of what is not mapped like that");
        else
            k.mappings.erase(it);
        std::free(address);
        return 0;
    }
    static int madvise(void *arg, void *address, std::size_t length, int advice) {
        kernel &k = of(arg);
        if (int err = k.fails(call::madvise)) return -err;
        if (k.on_madvise) k.on_madvise(address, length, advice);
        return 0;
    }
    static int capabilities(void *arg, std::uint64_t *effective) {
        *effective = of(arg).capabilities;
        return 0;
    }
    static std::int64_t clock(void *arg) { return of(arg).now; }
    static void *allocate(void *arg, std::size_t size) {
        kernel &k = of(arg);
        std::lock_guard l(k.lock_);
        if (k.fails(call::memory)) return nullptr;
        ++k.blocks;
        return std::malloc(size);
    }
    static void release(void *arg, void *block) {
        std::lock_guard l(of(arg).lock_);
        if (block) --of(arg).blocks;
        std::free(block);
    }
};

kernel::kernel() {
    table_.size = sizeof table_;
    table_.arg = this;
    table_.open = entries::open;
    table_.close = entries::close;
    table_.ioctl = entries::ioctl;
    table_.read = entries::read;
    table_.poll = entries::poll;
    table_.fcntl = entries::fcntl;
    table_.mmap = entries::mmap;
    table_.munmap = entries::munmap;
    table_.madvise = entries::madvise;
    table_.capabilities = entries::capabilities;
    table_.clock = entries::clock;
    table_.allocate = entries::allocate;
    table_.release = entries::release;
}

kernel::~kernel() {
    for (auto [address, length] : mappings)
        std::free(address);
}

kdevx_open_options kernel::options() const {
    kdevx_open_options o{};
    o.size = sizeof o;
    o.sys = &table_;
    return o;
}

kdevx_context *kernel::open() {
    kdevx_open_options o = options();
    kdevx_context *c = nullptr;
    kdevx_failure why{};
    INFO("step " << (why.step ? why.step : "-"));
    REQUIRE(kdevx_context_open_path("/dev/infiniband/uverbs0", &o, &c, &why) == 0);
    return c;
}

std::size_t kernel::live() const {
    std::size_t n = fds.size() + mappings.size() + blocks;
    for (const auto &[object, of_it] : handles)
        n += of_it.size();
    return n;
}

void kernel::fail(call kind, unsigned n, int err) {
    failures_[kind] = {counts_[kind] + n, err};
}

unsigned kernel::count(call kind) const {
    auto it = counts_.find(kind);
    return it == counts_.end() ? 0 : it->second;
}

// 0, or the errno that this very call is to fail with.
int kernel::fails(call kind) {
    unsigned n = counts_[kind]++;
    auto it = failures_.find(kind);
    return it != failures_.end() && it->second.first == n ? it->second.second : 0;
}

int kernel::new_fd() {
    int fd = 100;
    while (fds.count(fd))
        ++fd;
    fds.insert(fd);
    return fd;
}

std::int64_t kernel::read(int, void *buffer, std::size_t size) {
    if (answers.empty()) return -EAGAIN;
    const answer &a = answers.front();
    std::size_t need = sizeof a.number + a.outbox.size();
    if (size < need) return -ENOSPC;
    std::memcpy(buffer, &a.number, sizeof a.number);
    std::memcpy(static_cast<std::byte *>(buffer) + sizeof a.number, a.outbox.data(),
                a.outbox.size());
    answers.pop_front();
    return std::int64_t(need);
}

// What the kernel's parser demands, and what this library promises beyond that.
static void check_wire(const ib_uverbs_ioctl_hdr *h, std::vector<std::string> &broken) {
    auto rule = [&](bool kept, const char *text) {
        if (!kept) broken.push_back(text);
    };
    rule(reinterpret_cast<std::uintptr_t>(h) % 8 == 0, "a request is 8-byte aligned");
    rule(h->length == sizeof *h + h->num_attrs * sizeof h->attrs[0],
         "length covers all attributes");
    rule(h->reserved1 == 0 && h->reserved2 == 0, "reserved fields of the header are zero");
    rule(h->driver_id == RDMA_DRIVER_MLX5, "the driver is mlx5");
    std::set<std::uint16_t> seen;
    for (unsigned i = 0; i < h->num_attrs; ++i) {
        const ib_uverbs_attr &a = h->attrs[i];
        rule(seen.insert(a.attr_id).second, "no attribute twice");
        rule((a.flags & ~UVERBS_ATTR_F_MANDATORY) == 0, "only F_MANDATORY is the user's");
        rule(a.attr_data.enum_data.reserved == 0, "reserved byte of an attribute is zero");
    }
}

int kernel::ioctl(int fd, unsigned long request, ib_uverbs_ioctl_hdr *h) {
    if (request != RDMA_VERBS_IOCTL) return -ENOTTY;
    if (!fds.count(fd)) return -EBADF;
    check_wire(h, broken_rules);
    if (on_ioctl)
        if (int r = on_ioctl(h); r != 1) return r; // 1: none of its business
    return answer_from_table(h);
}

// In the kernel's order: driver, object and method, device, attributes, handler.
int kernel::answer_from_table(ib_uverbs_ioctl_hdr *h) {
    if (!is_mlx5) return -EINVAL;
    const kabi::method_base *m = kabi::find_method(h->object_id, h->method_id);
    if (!m) return -EPROTONOSUPPORT;
    if (!has_uctx && m->object->when == kabi::presence::log_max_uctx) return -EPROTONOSUPPORT;
    if (absent.count(m->name)) return -EPROTONOSUPPORT;
    if (removed) return -EIO;
    if (int r = answer_probe(m, h)) return r;
    bool is_get_context = m == &kabi::device::get_context;
    if (is_get_context == context) return -EINVAL;
    if (m == &kabi::devx_obj::async_query) {
        bytes number = carried(h->attrs[3], kabi::ptr_in);
        std::memcpy(&numbers.emplace_back(), number.data(), sizeof(std::uint64_t));
        out_lens.push_back(std::uint16_t(h->attrs[4].data));
    }
    if (m == &kabi::device::invoke_write) return answer_write(h);
    for (unsigned i = 0; i < h->num_attrs; ++i) {
        ib_uverbs_attr &a = h->attrs[i];
        const kabi::attr &row = *m->find(a.attr_id);
        auto &mine = handles[m->object->id];
        if (row.kind == kabi::destroy && !mine.erase(std::uint32_t(a.data))) return -ENOENT;
        if (row.kind == kabi::ptr_out) fill_out(*m, a);
        if (row.kind == kabi::new_fd) a.data = std::uint64_t(new_fd());
        if (row.kind == kabi::new_handle) a.data = new_handle(m->object->id);
    }
    if (is_get_context) context = true;
    return 0;
}

std::uint32_t kernel::new_handle(std::uint16_t object) {
    std::uint32_t handle = 0;
    while (handles[object].count(handle))
        ++handle;
    handles[object].insert(handle);
    return handle;
}

// The commands of the old interface that make something: what, and where its handle goes.
struct making {
    std::string_view command;
    std::uint16_t object;
    std::size_t at = 0;
};
constexpr making makings[] = {
    {"IB_USER_VERBS_CMD_ALLOC_PD", UVERBS_OBJECT_PD},
    {"IB_USER_VERBS_CMD_REG_MR", UVERBS_OBJECT_MR},
    {"IB_USER_VERBS_CMD_OPEN_XRCD", UVERBS_OBJECT_XRCD},
    {"IB_USER_VERBS_CMD_CREATE_AH", UVERBS_OBJECT_AH},
    {"IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL", UVERBS_OBJECT_COMP_CHANNEL},
    {"IB_USER_VERBS_EX_CMD_CREATE_QP", UVERBS_OBJECT_QP},
    {"IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL", UVERBS_OBJECT_RWQ_IND_TBL, 8},
};

int kernel::answer_write(ib_uverbs_ioctl_hdr *h) {
    const kabi::method_base &m = kabi::device::invoke_write;
    auto attr = [&](const char *name) -> ib_uverbs_attr * {
        for (unsigned i = 0; i < h->num_attrs; ++i)
            if (h->attrs[i].attr_id == m.find(std::string_view(name))->id) return &h->attrs[i];
        return nullptr;
    };
    const kabi::write_command *command = nullptr;
    for (const kabi::write_command &c : kabi::write_commands)
        if (c.number == attr("UVERBS_ATTR_WRITE_CMD")->data) command = &c;
    if (!command || absent.count(std::string(command->name))) return -EOPNOTSUPP;
    ib_uverbs_attr *in = attr("UVERBS_ATTR_CORE_IN"), *out = attr("UVERBS_ATTR_CORE_OUT");
    if (!in || in->len < command->in || (command->out && (!out || out->len < command->out)))
        return -ENOSPC;
    if (out) fill_out(m, *out);
    if (ib_uverbs_attr *driver = attr("UVERBS_ATTR_UHW_OUT")) fill_out(m, *driver);
    for (const making &w : makings) {
        if (w.command != command->name) continue;
        std::uint32_t made =
            w.object == UVERBS_OBJECT_COMP_CHANNEL ? std::uint32_t(new_fd()) : new_handle(w.object);
        std::memcpy(reinterpret_cast<char *>(std::uintptr_t(out->data)) + w.at, &made, sizeof made);
    }
    return 0;
}

// What keeps a request from reaching its handler; 0 if nothing does.
int kernel::answer_probe(const kabi::method_base *m, ib_uverbs_ioctl_hdr *h) {
    for (unsigned i = 0; i < h->num_attrs; ++i) {
        const ib_uverbs_attr &a = h->attrs[i];
        const kabi::attr *row = m->find(a.attr_id);
        bool known = row && !absent.count(std::string(row->name));
        if (!known && (a.flags & UVERBS_ATTR_F_MANDATORY)) return -EPROTONOSUPPORT;
        if (!known) continue;
        if (row->bytes == kabi::none && row->kind != kabi::const_in &&
            row->kind != kabi::flags_in && a.len)
            return -EINVAL;
        if (row->bytes != kabi::none && a.len < row->bytes.least) return -EINVAL;
    }
    for (const kabi::attr &row : m->attrs) {
        bool given = row.mandatory == kabi::o;
        for (unsigned i = 0; i < h->num_attrs; ++i)
            given |= h->attrs[i].attr_id == row.id;
        if (!given) return -EINVAL;
    }
    return 0;
}

void kernel::fill_out(const kabi::method_base &m, const ib_uverbs_attr &a) {
    auto *to = reinterpret_cast<std::byte *>(std::uintptr_t(a.data));
    bytes what = random_bytes(a.len);
    // The numbers of the firmware have 24 bits; the kernel gives them in the machine's byte order.
    constexpr std::size_t most_significant = std::endian::native == std::endian::little ? 3 : 0;
    for (std::size_t i = most_significant; a.len <= 40 && i < what.size(); i += 4)
        what[i] = std::byte{0};
    bool outbox = std::string_view(m.find(a.attr_id)->name).ends_with("CMD_OUT");
    if (outbox) std::memset(what.data(), 0, std::min<std::size_t>(8, what.size()));
    if (m.find(a.attr_id)->name.ends_with("NUM_COMP_VECTORS"))
        std::memcpy(what.data(), &num_comp_vectors, sizeof num_comp_vectors);
    if (m.find(a.attr_id)->name.ends_with("MMAP_LENGTH")) {
        std::uint32_t page = 4096;
        std::memcpy(what.data(), &page, sizeof page);
    }
    if (&m == &kabi::qp::create && a.attr_id == kabi::uhw_out.id) {
        what = qp_response;
        what.resize(a.len);
    }
    mlx5_ib_alloc_ucontext_resp context_resp;
    if (&m == &kabi::device::get_context && what.size() == sizeof context_resp) {
        std::memcpy(&context_resp, what.data(), sizeof context_resp);
        std::memcpy(&context_resp.max_sq_desc_sz, &limits, sizeof limits);
        if (on_get_context) on_get_context(context_resp);
        std::memcpy(what.data(), &context_resp, sizeof context_resp);
    }
    std::memcpy(to, what.data(), what.size());
}

} // namespace mock
