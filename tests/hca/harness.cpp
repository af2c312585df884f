// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include "../unit/catch.hpp"
#include "firmware/syndromes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hca_test {

// ---- guest
// ----------------------------------------------------------------------------------------

guest::guest() : fd_(::memfd_create("guest", MFD_CLOEXEC)) {
    REQUIRE(::ftruncate(fd_.get(), off_t(size)) == 0);
    void *p = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
    REQUIRE(p != MAP_FAILED);
    base_ = static_cast<std::byte *>(p);
}

guest::~guest() {
    ::munmap(base_, size);
}

unique_fd guest::share() const {
    return unique_fd(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0));
}

std::uint64_t guest::alloc(std::uint64_t n, std::uint64_t alignment) {
    const std::uint64_t at = (next_ + alignment - 1) / alignment * alignment;
    next_ = at + n;
    REQUIRE(next_ <= size);
    return at;
}

std::span<std::byte> guest::at(std::uint64_t address, std::uint64_t n) {
    REQUIRE(address + n <= size);
    return {base_ + address, std::size_t(n)};
}

// ---- machine
// --------------------------------------------------------------------------------------

namespace {

options parse(const std::string &words) {
    options o;
    std::istringstream in(words);
    for (std::string word; in >> word;)
        REQUIRE(set_option(o, word) == "");
    return o;
}

} // namespace

machine::machine(const std::string &words) : opt(parse(words)), device(opt, events, log) {
    int pair[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    client_ = unique_fd(pair[0]);
    server_ = std::make_unique<wire::server>(unique_fd(pair[1]), device, log);
    events.watch(server_->fd(), [this] {
        if (server_->on_readable()) return;
        alive_ = false;
        events.forget(server_->fd());
        server_.reset();
    });
}

void machine::run() {
    for (int n = 0; n < 4; ++n)
        events.run_once(std::chrono::milliseconds(0));
}

void machine::send(const bytes &message, const std::vector<int> &fds) {
    iovec part{const_cast<std::byte *>(message.data()), message.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(64 * sizeof(int))] = {};
    msghdr m{};
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    if (!fds.empty()) {
        m.msg_control = control;
        m.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
        cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
        std::memcpy(CMSG_DATA(c), fds.data(), fds.size() * sizeof(int));
    }
    REQUIRE(::sendmsg(client_.get(), &m, MSG_NOSIGNAL) == ssize_t(message.size()));
    run();
}

reply machine::receive() {
    wire::header h;
    ssize_t n = ::recv(client_.get(), &h, sizeof h, MSG_DONTWAIT);
    if (n == 0) return {.closed = true};
    REQUIRE(n == ssize_t(sizeof h));
    reply r{.error = h.error, .body = bytes(h.size - sizeof h)};
    REQUIRE((h.flags & wire::type_mask) == wire::type_reply);
    REQUIRE(bool(h.flags & wire::flag_error) == (h.error != 0));
    if (!r.body.empty())
        REQUIRE(::recv(client_.get(), r.body.data(), r.body.size(), MSG_WAITALL) ==
                ssize_t(r.body.size()));
    return r;
}

bytes machine::message(std::uint16_t command, const bytes &body, std::uint32_t flags,
                       std::uint16_t id) {
    wire::header h{id, command, std::uint32_t(sizeof h + body.size()), flags, 0};
    return raw(h) + body;
}

reply machine::ask(std::uint16_t command, const bytes &body, const std::vector<int> &fds,
                   std::uint32_t flags) {
    send(message(command, body, flags), fds);
    return receive();
}

void machine::introduce() {
    const char capabilities[] = R"({"capabilities":{"max_msg_fds":8}})";
    auto text = std::as_bytes(std::span(capabilities));
    reply r = ask(wire::VERSION, raw(wire::version{0, 0}) + bytes(text.begin(), text.end()));
    REQUIRE(r.error == 0);
}

void machine::map_memory() {
    wire::dma_map m{sizeof m, wire::dma_readable | wire::dma_writable, 0, 0, guest::size};
    REQUIRE(ask(wire::DMA_MAP, raw(m), {memory.share().get()}).error == 0);
}

bytes machine::read(unsigned region, std::uint64_t offset, std::uint32_t n) {
    reply r = ask(wire::REGION_READ, raw(wire::region_access{offset, region, n}));
    REQUIRE(r.error == 0);
    REQUIRE(r.body.size() == sizeof(wire::region_access) + n);
    return {r.body.begin() + sizeof(wire::region_access), r.body.end()};
}

reply machine::write(unsigned region, std::uint64_t offset, const bytes &data) {
    wire::region_access a{offset, region, std::uint32_t(data.size())};
    return ask(wire::REGION_WRITE, raw(a) + data);
}

std::uint32_t machine::bar32(std::uint64_t offset) {
    return prm::load_be<std::uint32_t>(read(wire::bar0_region, offset, 4).data());
}

void machine::bar32(std::uint64_t offset, std::uint32_t value) {
    bytes b(4);
    prm::store_be(b.data(), value);
    REQUIRE(write(wire::bar0_region, offset, b).error == 0);
}

void machine::ring(std::uint32_t page, std::uint32_t offset, std::uint32_t first,
                   std::uint32_t second) {
    bytes b(8);
    prm::store_be(b.data(), first);
    prm::store_be(b.data() + 4, second);
    REQUIRE(write(wire::bar0_region, std::uint64_t(page) * 4096 + offset, b).error == 0);
}

// ---- driver
// ---------------------------------------------------------------------------------------

driver::driver(const std::string &words) : machine(words), queue_(memory.alloc(4096)) {
    introduce();
    map_memory();
    bar32(0x10, std::uint32_t(queue_ >> 32));
    bar32(0x14, std::uint32_t(queue_));
}

driver::slot driver::prepare(const bytes &in, std::size_t out_size, unsigned n) {
    constexpr std::size_t in_entry = 16, block = prm::cmd_if_box.size, data = 512;
    slot s{.n = n, .in = in, .out_size = out_size, .token = ++token_};
    auto chain = [&](std::size_t length) -> std::uint64_t {
        if (length <= in_entry) return 0;
        const std::size_t blocks = (length - in_entry + data - 1) / data;
        const std::uint64_t first = memory.alloc(blocks * 1024, 1024);
        for (std::size_t i = 0; i < blocks; ++i) {
            prm::editor<prm::cmd_if_box> box(memory.at(first + i * 1024, block));
            const std::uint64_t next = i + 1 < blocks ? first + (i + 1) * 1024 : 0;
            box.set<"next_pointer_63_32">(next >> 32)
                .set<"next_pointer_31_10">(std::uint32_t(next) >> 10)
                .set<"block_number">(i)
                .set<"token">(s.token);
        }
        return first;
    };
    s.in_mailbox = chain(in.size());
    s.out_mailbox = chain(out_size);
    for (std::size_t i = in_entry; i < in.size(); i += data) {
        const std::size_t take = std::min(data, in.size() - i);
        auto to = memory.at(s.in_mailbox + (i - in_entry) / data * 1024, take);
        std::copy_n(in.begin() + std::ptrdiff_t(i), take, to.begin());
    }
    auto e = memory.at(entry(n), 64);
    std::ranges::fill(e, std::byte(0));
    prm::editor<prm::cmd_queue_entry>(e)
        .set<"type", 7>()
        .set<"input_length">(in.size())
        .set<"input_mailbox_pointer_63_32">(s.in_mailbox >> 32)
        .set<"input_mailbox_pointer_31_9">(std::uint32_t(s.in_mailbox) >> 9)
        .set_bytes<"command_input_inline_data">(std::span(in).first(std::min(in_entry, in.size())))
        .set<"output_mailbox_pointer_63_32">(s.out_mailbox >> 32)
        .set<"output_mailbox_pointer_31_9">(std::uint32_t(s.out_mailbox) >> 9)
        .set<"output_length">(out_size)
        .set<"token">(s.token)
        .set<"ownership", 1>();
    return s;
}

void driver::start(unsigned n) {
    bar32(0x18, 1u << n);
}

bool driver::is_done(unsigned n) {
    return !(std::uint8_t(memory.at(entry(n), 64)[63]) & 1);
}

answer driver::finish(const slot &s) {
    constexpr std::size_t in_entry = 16, data = 512;
    auto e = memory.at(entry(s.n), 64);
    answer a{firmware::delivery(std::uint8_t(e[63]) >> 1), bytes(s.out_size)};
    std::copy_n(e.begin() + 0x20, std::min(in_entry, s.out_size), a.out.begin());
    for (std::size_t i = in_entry; i < s.out_size; i += data) {
        const std::size_t take = std::min(data, s.out_size - i);
        auto from = memory.at(s.out_mailbox + (i - in_entry) / data * 1024, take);
        std::copy_n(from.begin(), take, a.out.begin() + std::ptrdiff_t(i));
    }
    return a;
}

answer driver::execute(const bytes &in, std::size_t out_size) {
    slot s = prepare(in, out_size);
    start(s.n);
    REQUIRE(is_done(s.n));
    return finish(s);
}

std::uint32_t driver::create(bytes in, const char *name, std::uint16_t uid) {
    prm::editor<prm::general_obj_in_cmd_hdr>(in)
        .set<"opcode">(prm::opcodes.find(std::string_view(name))->number)
        .set<"uid">(uid);
    answer a = execute(in, 16);
    INFO(name << " syndrome " << std::hex << a.syndrome());
    REQUIRE(a.status() == 0);
    return prm::load_be<std::uint32_t>(a.out.data() + 8) & 0xffffff;
}

std::uint32_t driver::simple(const char *name, std::uint32_t id, std::uint16_t uid) {
    prm::mailbox<prm::general_obj_in_cmd_hdr> in;
    in.set<"opcode">(prm::opcodes.find(std::string_view(name))->number)
        .set<"uid">(uid)
        .set<"obj_id">(id);
    return result(execute(in, 16));
}

void driver::bring_up() {
    REQUIRE(simple("ENABLE_HCA", 0) == 0);
    REQUIRE(simple("SET_ISSI", 1) == 0);
    prm::mailbox<prm::init_hca_in> init;
    init.set<"opcode", prm::op<"INIT_HCA">>();
    REQUIRE(result(execute(init)) == 0);
}

std::uint32_t driver::uctx() {
    prm::mailbox<prm::create_uctx_in> in;
    in.set<"opcode", prm::op<"CREATE_UCTX">>();
    answer a = execute(in);
    REQUIRE(result(a) == 0);
    return std::uint32_t(a.get<prm::create_uctx_out, "uid">());
}

std::uint32_t driver::umem(std::uint16_t uid, std::uint64_t address, std::uint64_t n,
                           bool writable) {
    const std::uint64_t pages = (n + 4095) / 4096;
    bytes in(prm::create_umem_in.size + pages * 8);
    prm::editor<prm::create_umem_in>(in).set<"umem.num_of_mtt">(pages).set<"umem.page_offset">(
        address % 4096);
    for (std::uint64_t i = 0; i < pages; ++i)
        prm::store_be<std::uint64_t>(in.data() + prm::create_umem_in.size + i * 8,
                                     (address & ~4095ull) + i * 4096 + (writable ? 3 : 1));
    return create(in, "CREATE_UMEM", uid);
}

driver::basics driver::make_basics() {
    basics b{};
    b.uid = std::uint16_t(uctx());
    b.uar = create(bytes(16), "ALLOC_UAR", b.uid);
    const std::uint32_t kernel_uar = create(bytes(16), "ALLOC_UAR");
    bytes eq(prm::create_eq_in.size + 8);
    prm::editor<prm::create_eq_in>(eq)
        .set<"eq_context_entry.log_eq_size", 5>()
        .set<"eq_context_entry.uar_page">(kernel_uar)
        .set<"eq_context_entry.intr", 1>();
    prm::store_be<std::uint64_t>(eq.data() + prm::create_eq_in.size, memory.alloc(4096));
    b.eq = create(eq, "CREATE_EQ", 0xffff) & 0xff;
    b.pd = create(bytes(16), "ALLOC_PD", b.uid);
    b.size = 64 * 4096;
    b.memory = memory.alloc(b.size);
    b.umem = umem(b.uid, b.memory, b.size);
    return b;
}

int driver::irq_fd(unsigned vector) {
    int fd = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    wire::irq_set set{sizeof set, wire::irq_data_eventfd | wire::irq_trigger, wire::msix_irq,
                      vector, 1};
    REQUIRE(ask(wire::DEVICE_SET_IRQS, raw(set), {fd}).error == 0);
    return fd;
}

std::uint64_t driver::interrupts(int fd) {
    std::uint64_t n = 0;
    return ::read(fd, &n, sizeof n) == sizeof n ? n : 0;
}

std::uint32_t refused(firmware::syndrome s) {
    return refused(firmware::find_syndrome(s)->status, s);
}

std::uint32_t result(const answer &a) {
    REQUIRE(a.delivery == firmware::delivery::ok);
    return std::uint32_t(a.status()) << 24 | a.syndrome();
}

} // namespace hca_test
