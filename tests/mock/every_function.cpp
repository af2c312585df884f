// SPDX-License-Identifier: MIT
// Every function that the library exports (the names come from its version script), with one
// argument at a time made wrong: an answer of the documented form, nothing asked of the kernel that
// need not be, nothing left over, nothing printed. What is particular to a function has a test of
// its own elsewhere; none is forgotten here.
#include <array>
#include <cstdint>
#include <type_traits>

#include "quiet.hpp"
#include "world.hpp"

using mock::world;

namespace {

// ---- one argument of each type, as a caller who means it well would give it

using word = std::uint64_t; // any argument fits

constexpr std::size_t room = 4u << 20; // for 65536 of the largest element
alignas(64) std::byte store[room];
std::array<void *, 8> slots;

template <class T>
concept sized_struct = requires(T t) {
    t.size;
};

template <class Target>
const volatile void *pointer(world &w, std::size_t at) {
    using T = std::remove_cv_t<Target>;
    if constexpr (std::is_same_v<T, kdevx_failure>) {
        return &w.why;
    } else if constexpr (mock::ending<T> || std::is_same_v<T, kdevx_context>) {
        return w.get(std::type_identity<T>());
    } else if constexpr (std::is_same_v<T, kdevx_open_options>) {
        return new (store) T(w.spare.options());
    } else if constexpr (std::is_same_v<Target, const char>) {
        return "kdevx-none";
    } else if constexpr (std::is_same_v<Target, kdevx_wq *const>) {
        slots[at] = w.wq;
        return &slots[at];
    } else if constexpr (std::is_pointer_v<T>) {
        slots[at] = nullptr;
        return &slots[at];
    } else if constexpr (std::is_same_v<T, kdevx_device_list>) {
        return nullptr;
    } else if constexpr (!std::is_void_v<T> && sized_struct<T>) {
        T *made = new (store) T{};
        made->size = sizeof(T);
        return made;
    } else {
        return store;
    }
}

template <class P>
word good_word(world &w, std::size_t at) {
    if constexpr (std::is_pointer_v<P>)
        return reinterpret_cast<std::uintptr_t>(pointer<std::remove_pointer_t<P>>(w, at));
    else
        return std::is_same_v<P, std::size_t> ? 16 : 0;
}

// What a call has made there goes back, so that nothing of it is left.
template <class P>
void give_back(world &w, std::size_t at) {
    if constexpr (std::is_same_v<P, int *>) {
        int fd;
        std::memcpy(&fd, store, sizeof fd);
        if (w.k.fds.contains(fd)) w.k.table()->close(w.k.table()->arg, fd);
    } else if constexpr (std::is_pointer_v<std::remove_pointer_t<P>>) {
        using T = std::remove_pointer_t<std::remove_pointer_t<P>>;
        void *made = std::is_const_v<std::remove_pointer_t<P>> ? nullptr : slots[at];
        if (!made) return;
        if constexpr (mock::ending<T>) CHECK(mock::end(static_cast<T *>(made), &w.why) == 0);
        if constexpr (std::is_same_v<T, kdevx_context>) kdevx_context_close(static_cast<T *>(made));
        if constexpr (std::is_same_v<T, kdevx_device_list>)
            kdevx_device_list_free(static_cast<T *>(made));
    }
}

// ---- a function by its types, which are looked at here and nowhere else: all that follows is the
// same code for every function

struct argument {
    word (*good)(world &, std::size_t at);
    void (*give_back)(world &, std::size_t at);
    bool is_pointer, is_why, is_object, is_context, is_signed;
    unsigned bits;
};
template <class P>
constexpr argument argument_of = [] {
    using T = std::remove_cv_t<std::remove_pointer_t<P>>;
    constexpr bool is_pointer = std::is_pointer_v<P>;
    return argument{good_word<P>,
                    give_back<P>,
                    is_pointer,
                    std::is_same_v<P, kdevx_failure *>,
                    is_pointer && mock::ending<T>,
                    is_pointer && std::is_same_v<T, kdevx_context>,
                    std::is_signed_v<P>,
                    sizeof(P) * 8};
}();

struct function {
    std::string name;
    std::span<const argument> arguments;
    std::int64_t (*call)(const word *); // 0 of those that return no number
    bool is_signed;                     // what it returns
    bool tells() const { return !arguments.empty() && arguments.back().is_why; }
    bool ends() const {
        for (const char *word_of_end :
             {"_destroy", "_free", "_close", "_dereg", "_dealloc", "_forget"})
            if (name.ends_with(word_of_end)) return true;
        return false;
    }
};

template <class P>
P from_word(word w) {
    if constexpr (std::is_pointer_v<P>)
        return reinterpret_cast<P>(std::uintptr_t(w));
    else
        return P(w);
}
template <auto Function, class R, class... P>
std::int64_t call_with([[maybe_unused]] const word *words) {
    return [&]<std::size_t... I>(std::index_sequence<I...>)->std::int64_t {
        if constexpr (std::is_integral_v<R>)
            return std::int64_t(Function(from_word<P>(words[I])...));
        Function(from_word<P>(words[I])...);
        return 0;
    }
    (std::index_sequence_for<P...>());
}
template <auto Function, class R, class... P>
function named(const char *name, R (*)(P...)) {
    static constexpr std::array<argument, sizeof...(P)> arguments{argument_of<P>...};
    return {name, arguments, call_with<Function, R, P...>, std::is_signed_v<R>};
}

const std::vector<function> &functions() {
    static const std::vector<function> all = {
#define EACH(name) named<name>(#name, name),
#include "exported.inc"
#undef EACH
    };
    return all;
}

// ---- a call and what came of it

struct outcome {
    std::int64_t answer = 0;
    bool tells = false, is_signed = false;
    kdevx_failure why{};
    std::string printed;

    bool good() const { return !tells || answer == 0; }
    // The answer is 0, or -errno with a cause and the name of the step.
    void check_form() const {
        CHECK(printed.empty());
        if (good()) return;
        CHECK(answer == -why.err);
        CHECK(why.err > 0);
        CHECK(why.cause != KDEVX_CAUSE_NONE);
        CHECK(why.step != nullptr);
    }
    // Of a function that tells no more: -EBADF where that can be told from an answer.
    void check_refused(int err, std::uint32_t cause) const {
        check_form();
        if (!tells) {
            CHECK(answer == (is_signed ? -EBADF : 0));
            return;
        }
        CHECK(answer == -err);
        CHECK(why.cause == cause);
    }
};

struct attempt {
    const function &f;
    world w;
    std::vector<word> words;
    unsigned asked = 0;

    explicit attempt(const function &which) : f(which), words(good_words(w)) {}
    ~attempt() {
        for (std::size_t i = 0; i < words.size(); ++i)
            f.arguments[i].give_back(w, i);
    }
    attempt(const attempt &) = delete;

    std::vector<word> good_words(world &from) const {
        std::fill_n(store, 4096, std::byte(0));
        std::vector<word> good;
        for (std::size_t i = 0; i < f.arguments.size(); ++i)
            good.push_back(f.arguments[i].good(from, i));
        return good;
    }
    outcome run() {
        outcome o;
        o.tells = f.tells();
        o.is_signed = f.is_signed;
        w.why = {};
        asked = w.k.count(mock::call::ioctl);
        {
            mock::quiet listening;
            o.answer = f.call(words.data());
            o.printed = listening.heard();
        }
        asked = w.k.count(mock::call::ioctl) - asked;
        o.why = w.why;
        if (o.good() && f.ends()) w.gone(reinterpret_cast<void *>(std::uintptr_t(words[0])));
        return o;
    }
    void *at(std::size_t i) const { return reinterpret_cast<void *>(std::uintptr_t(words[i])); }
};

// try_it(function, index) for each argument of each function that is of this kind.
template <class Try>
void each_argument(bool argument::*of_kind, Try try_it) {
    for (const function &f : functions())
        for (std::size_t i = 0; i < f.arguments.size(); ++i)
            if (f.arguments[i].*of_kind) {
                INFO(f.name << ", argument " << i);
                try_it(f, i);
            }
}

// The places where null has a meaning, which the header tells.
bool may_be_null(const std::string &function, std::size_t argument) {
    static const std::set<std::pair<std::string, std::size_t>> allowed = {
        // options: the default ones
        {"kdevx_context_open", 1},
        {"kdevx_context_open_path", 1},
        {"kdevx_context_open_fd", 2},
        {"kdevx_context_adopt_fd", 2},
        {"kdevx_device_list_get", 0},
        {"kdevx_umem_reg", 3},
        {"kdevx_umem_reg_dmabuf", 4},
        // an empty list; nobody wants to know which request was refused
        {"kdevx_post_send", 1},
        {"kdevx_post_send", 2},
        {"kdevx_post_recv", 1},
        {"kdevx_post_recv", 2},
        {"kdevx_post_srq_recv", 1},
        {"kdevx_post_srq_recv", 2},
        {"kdevx_post_task", 1},
        {"kdevx_post_task", 2},
        // no MAC address: InfiniBand; no CQ: a basic SRQ; no object: the device itself
        {"kdevx_av_make", 1},
        {"kdevx_srq_ring_create", 1},
        {"kdevx_event_subscribe", 1},
        {"kdevx_event_subscribe_fd", 2},
        // nothing has failed; the length is wanted, not the text; no room for a completion
        {"kdevx_failure_text", 0},
        {"kdevx_failure_text", 1},
        {"kdevx_poll_cq", 1},
    };
    return allowed.contains({function, argument});
}

// Those of the data path tell an ended ring from a living one, and trust the compiler for its kind.
bool trusts_types(const std::string &function) {
    static const std::set<std::string> fast = {
        "kdevx_acknowledge_cq_event",
        "kdevx_arm_cq",
        "kdevx_poll_cq",
        "kdevx_post_recv",
        "kdevx_post_send",
        "kdevx_post_srq_recv",
    };
    return fast.contains(function);
}

} // namespace

TEST_CASE("every function, as it is meant to be called") {
    unsigned good = 0;
    for (const function &f : functions()) {
        INFO(f.name);
        attempt a(f);
        outcome o = a.run();
        o.check_form();
        good += o.good();
    }
    CHECK(functions().size() >= 170);
    CHECK(good > functions().size() / 2); // else the tests below would see little of them
}

TEST_CASE("every function, with null for each of its pointers") {
    each_argument(&argument::is_pointer, [](const function &f, std::size_t i) {
        attempt a(f);
        a.words[i] = 0;
        outcome o = a.run();
        if (f.arguments[i].is_why) {
            CHECK(o.printed.empty());
        } else if (may_be_null(f.name, i)) {
            o.check_form();
        } else {
            o.check_refused(EINVAL, KDEVX_CAUSE_INVALID);
            CHECK(a.asked == 0);
        }
    });
}

TEST_CASE("every function, with an object that has ended") {
    each_argument(&argument::is_object, [](const function &f, std::size_t i) {
        attempt a(f);
        a.w.end_from(a.at(i));
        a.run().check_refused(EBADF, KDEVX_CAUSE_CLOSED);
        CHECK(a.asked == 0);
    });
}

TEST_CASE("every function, with an object of another kind") {
    each_argument(&argument::is_object, [](const function &f, std::size_t i) {
        if (trusts_types(f.name)) return;
        attempt a(f);
        void *other = a.at(i) == a.w.umem ? static_cast<void *>(a.w.uar) : a.w.umem;
        a.words[i] = reinterpret_cast<std::uintptr_t>(other);
        a.run().check_refused(EINVAL, KDEVX_CAUSE_INVALID);
        CHECK(a.asked == 0);
    });
}

TEST_CASE("every function of two objects, with one that is another context's") {
    unsigned tried = 0;
    each_argument(&argument::is_object, [&](const function &f, std::size_t i) {
        if (i == 0) return;
        attempt a(f);
        world elsewhere;
        a.words[i] = f.arguments[i].good(elsewhere, i);
        a.run().check_refused(EINVAL, KDEVX_CAUSE_INVALID);
        CHECK(a.asked == 0);
        ++tried;
    });
    CHECK(tried >= 5);
}

TEST_CASE("every function of a context that is closed") {
    each_argument(&argument::is_context, [](const function &f, std::size_t) {
        if (f.name == "kdevx_context_close") return;
        attempt a(f);
        a.w.close();
        a.run().check_refused(EBADF, KDEVX_CAUSE_CLOSED);
        CHECK(a.asked == 0);
    });
    each_argument(&argument::is_object, [](const function &f, std::size_t) {
        attempt a(f);
        a.w.close();
        a.run().check_form();
    });
}

TEST_CASE("every function, with numbers at the ends of their ranges") {
    for (const function &f : functions())
        for (std::size_t i = 0; i < f.arguments.size(); ++i) {
            const argument &number = f.arguments[i];
            if (number.is_pointer) continue;
            const word top = word(1) << (number.bits - 1);
            std::vector<word> values = {0, 1, 15, 16, 65535, 65536};
            if (number.is_signed)
                values.push_back(top); // the least; the most is a long time to wait
            else if (number.bits < 64)
                values.push_back(top - 1 + top); // 64 bits may be a size, and `store` has one
            for (word value : values) {
                INFO(f.name << ", argument " << i << " is " << value);
                attempt a(f);
                a.words[i] = value;
                a.run().check_form();
            }
        }
}

TEST_CASE("every function of a device that is gone") {
    for (const function &f : functions()) {
        INFO(f.name);
        attempt a(f);
        a.w.k.removed = true;
        a.w.k.handles.clear();
        a.run().check_form();
    }
}

TEST_CASE("every function, with each of its system calls and allocations failing in turn") {
    const struct {
        mock::call kind;
        int err;
    } ways[] = {
        {mock::call::memory, ENOMEM},  {mock::call::open, EMFILE}, {mock::call::ioctl, EINVAL},
        {mock::call::ioctl, EFAULT},   {mock::call::ioctl, EBUSY}, {mock::call::ioctl, EREMOTEIO},
        {mock::call::ioctl, EIO},      {mock::call::mmap, ENOMEM}, {mock::call::read, EINTR},
        {mock::call::read, EIO},       {mock::call::poll, ENOMEM}, {mock::call::fcntl, EBADF},
        {mock::call::madvise, EINVAL},
    };
    unsigned tried = 0;
    for (const function &f : functions())
        for (auto [kind, err] : ways) {
            auto calls = [kind = kind](const attempt &a) {
                return a.w.k.count(kind) + a.w.spare.count(kind);
            };
            for (unsigned n = 0, made = 1; n < made; ++n) {
                INFO(f.name << ", call " << n << " of kind " << int(kind) << ", errno " << err);
                attempt a(f);
                const unsigned before = calls(a);
                a.w.k.fail(kind, n, err);
                a.w.spare.fail(kind, n, err);
                outcome o = a.run();
                o.check_form();
                made = calls(a) - before;
                tried += n < made;
                a.w.k.fail(kind, 0, 0);
                a.w.spare.fail(kind, 0, 0);
            }
        }
    CHECK(tried > 2 * functions().size());
}

TEST_CASE("every function of a context whose fd was closed behind its back") {
    for (const function &f : functions()) {
        if (f.name == "kdevx_context_close") continue; // closes the fd that is not there
        INFO(f.name);
        attempt a(f);
        const int fd = kdevx_context_fd(a.w.context);
        a.w.k.fds.erase(fd);
        a.run().check_form();
        a.w.k.fds.insert(fd);
    }
}
