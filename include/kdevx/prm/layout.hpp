// SPDX-License-Identifier: MIT
// The notation of the device contract: a PRM table is a constexpr list of rows, one row of code for
// one row of the specification, in the specification's own terms:
//
//     {"opcode", 0x00, 31, 16}            byte offset of the big-endian dword, high bit, low bit
//     {"start_addr", 0x10, 63, 0}         a 64-bit field that begins at that dword
//     {"pas", 0x110, 63, 0, trailing}     an array of such fields up to the end of the mailbox
//     {"event_bitmask", 0x58, 63, 0, array{4}}
//     {"rgid_rip", 0x20, bytes{16}}       a string of bytes, in memory order
//     {"more_data", 0x08, bytes{1}, trailing}
//     {"qpc", 0x18, qpc}                  another layout, in place
//
// Rows stand in PRM order. A row that overlaps the one before it, leaves its layout or has its bits
// the wrong way round does not compile; the kernel's mlx5_ifc.h is the second opinion (tests/abi).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace kdevx::prm {

struct array {
    std::uint32_t count;
};
struct bytes {
    std::uint32_t size;
};
// As many elements as the mailbox has room for; only the last row of a layout can be this.
inline constexpr array trailing{0};

struct layout_base;

// One row. `hi` and `lo` count bits of the big-endian word at `offset`, as the PRM prints them; a
// word is 32 bits, or 64 where hi > 31. Byte strings have hi = lo = 0 and `size` bytes.
struct field {
    std::string_view name{};
    std::uint32_t offset = 0;
    std::uint8_t hi = 0, lo = 0;
    std::uint32_t count = 1;
    std::uint32_t size = 0;
    const layout_base *nested = nullptr;
    bool is_nested = false;

    constexpr field() = default;
    consteval field(std::string_view n, std::uint32_t o, int h, int l, array a = {1})
        : name(n), offset(o), hi(std::uint8_t(h)), lo(std::uint8_t(l)), count(a.count) {}
    consteval field(std::string_view n, std::uint32_t o, bytes b, array a = {1})
        : name(n), offset(o), count(a.count), size(b.size) {}
    consteval field(std::string_view n, std::uint32_t o, const layout_base &l, array a = {1});

    constexpr bool is_bits() const { return size == 0; }
    constexpr bool is_array() const { return count != 1; }
    constexpr unsigned width() const { return unsigned(hi - lo) + 1; }
    constexpr unsigned word_bits() const { return hi > 31 ? 64 : 32; }
    // Bytes from one element of an array to the next.
    constexpr std::uint32_t stride() const { return is_bits() ? word_bits() / 8 : size; }
    // Where the first element begins and ends, in bits from the start of the layout.
    constexpr std::uint64_t first_bit() const {
        return std::uint64_t(offset) * 8 + (is_bits() ? word_bits() - 1 - hi : 0);
    }
    constexpr std::uint64_t end_bit() const {
        std::uint64_t one = is_bits() ? first_bit() + width() : (std::uint64_t(offset) + size) * 8;
        return one + std::uint64_t(count > 1 ? count - 1 : 0) * stride() * 8;
    }
};

// What every layout is, whatever its number of rows: the form that run-time walkers use.
struct layout_base {
    std::string_view name;
    std::uint32_t size; // bytes, without trailing arrays
    std::span<const field> rows;

    // Constant evaluation asks for the index: with -fsanitize=undefined g++ 12 takes the comparison of
    // an address with null for no constant expression.
    constexpr std::size_t index_of(std::string_view n) const {
        std::size_t i = 0;
        while (i < rows.size() && rows[i].name != n)
            ++i;
        return i;
    }
    constexpr const field *find(std::string_view n) const {
        std::size_t i = index_of(n);
        return i < rows.size() ? &rows[i] : nullptr;
    }
};

consteval field::field(std::string_view n, std::uint32_t o, const layout_base &l, array a)
    : name(n), offset(o), count(a.count), size(l.size), nested(&l), is_nested(true) {}

namespace error {
// Not constexpr on purpose: reaching one of these stops the compilation and shows its name.
inline void this_row_has_its_bits_the_wrong_way_round() {}
inline void this_row_is_not_at_a_dword() {}
inline void this_row_overlaps_or_precedes_the_row_before_it() {}
inline void this_row_leaves_its_layout() {}
inline void only_the_last_row_can_be_a_trailing_array() {}
inline void this_layout_has_no_such_field() {}
inline void this_field_is_not_a_nested_layout() {}
inline void an_array_of_partial_words_has_no_stride() {}
} // namespace error

template <std::size_t N>
struct layout : layout_base {
    std::array<field, N> table{};

    consteval layout(std::string_view n, std::uint32_t s, const field (&f)[N])
        : layout_base{n, s, {}} {
        for (std::size_t i = 0; i < N; ++i) {
            table[i] = f[i];
            check(table[i], i == 0 ? 0 : table[i - 1].end_bit(), i + 1 == N);
        }
        rows = table;
    }
    layout(const layout &) = delete; // `rows` points into this object

private:
    consteval void check(const field &f, std::uint64_t previous_end, bool last) const {
        if (f.hi < f.lo || f.hi > 63) error::this_row_has_its_bits_the_wrong_way_round();
        if (f.is_bits() && f.offset % 4) error::this_row_is_not_at_a_dword();
        if (f.first_bit() < previous_end) error::this_row_overlaps_or_precedes_the_row_before_it();
        if (f.count == 0 ? f.offset > size : f.end_bit() > std::uint64_t(size) * 8)
            error::this_row_leaves_its_layout();
        if (f.count == 0 && !last) error::only_the_last_row_can_be_a_trailing_array();
        if (f.is_bits() && f.is_array() && f.width() != f.word_bits())
            error::an_array_of_partial_words_has_no_stride();
    }
};
template <std::size_t N>
layout(std::string_view, std::uint32_t, const field (&)[N]) -> layout<N>;

// ---- words ------------------------------------------------------------------------------------

constexpr std::uint16_t to_from_be(std::uint16_t v) {
    return std::endian::native == std::endian::little ? __builtin_bswap16(v) : v;
}
constexpr std::uint32_t to_from_be(std::uint32_t v) {
    return std::endian::native == std::endian::little ? __builtin_bswap32(v) : v;
}
constexpr std::uint64_t to_from_be(std::uint64_t v) {
    return std::endian::native == std::endian::little ? __builtin_bswap64(v) : v;
}
// Big-endian words at any alignment. One load and a byte swap at run time, a loop in constant
// evaluation, which knows no memcpy.
template <class Word>
constexpr Word load_be(const std::byte *p) {
    Word v = 0;
    if (std::is_constant_evaluated()) {
        for (std::size_t i = 0; i < sizeof v; ++i)
            v = Word(v << 8 | Word(p[i]));
        return v;
    }
    std::memcpy(&v, p, sizeof v);
    return to_from_be(v);
}
template <class Word>
constexpr void store_be(std::byte *p, Word v) {
    if (std::is_constant_evaluated()) {
        for (std::size_t i = sizeof v; i-- > 0; v = Word(v >> 8))
            p[i] = std::byte(v & 0xff);
        return;
    }
    v = to_from_be(v);
    std::memcpy(p, &v, sizeof v);
}
constexpr std::uint64_t width_mask(unsigned width) {
    return width >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1;
}

// ---- places: a row, or a path through nested rows, resolved to an offset ------------------------

template <class Word>
constexpr void put_bits(std::byte *p, const field &row, std::uint64_t v) {
    std::uint64_t keep = load_be<Word>(p) & ~(width_mask(row.width()) << row.lo);
    store_be<Word>(p, Word(keep | v << row.lo));
}

struct place {
    field row; // offset already counts from the outermost layout
    std::string_view path;

    constexpr std::uint32_t at(std::uint32_t index) const {
        return row.offset + index * row.stride();
    }
    constexpr bool fits(std::uint64_t v) const { return (v & ~width_mask(row.width())) == 0; }

    constexpr bool inside(std::size_t size, std::uint32_t index) const {
        return std::uint64_t(row.offset) + std::uint64_t(index + 1ull) * row.stride() <= size;
    }

    // Both ignore what lies outside of `b`: a shorter mailbox reads as zero beyond its end.
    constexpr std::uint64_t get(std::span<const std::byte> b, std::uint32_t index = 0) const {
        if (!inside(b.size(), index)) return 0;
        const std::byte *p = b.data() + at(index);
        std::uint64_t word = row.hi > 31 ? load_be<std::uint64_t>(p) : load_be<std::uint32_t>(p);
        return word >> row.lo & width_mask(row.width());
    }
    constexpr bool put(std::span<std::byte> b, std::uint64_t v, std::uint32_t index = 0) const {
        if (!fits(v) || !inside(b.size(), index)) return false;
        if (row.hi > 31)
            put_bits<std::uint64_t>(b.data() + at(index), row, v);
        else
            put_bits<std::uint32_t>(b.data() + at(index), row, v);
        return true;
    }
};

constexpr std::size_t dot_in(std::string_view path) {
    std::size_t i = 0;
    while (i < path.size() && path[i] != '.')
        ++i;
    return i;
}

// "qpc.log_rq_size" in create_qp_in. Usable at run time too (empty row name: no such path).
constexpr place find_place(const layout_base &l, std::string_view path) {
    const layout_base *in = &l;
    std::uint32_t base = 0;
    std::string_view rest = path;
    for (;;) {
        std::size_t dot = dot_in(rest), i = in->index_of(rest.substr(0, dot));
        if (i == in->rows.size()) return {};
        const field &f = in->rows[i];
        if (dot == rest.size()) {
            place p;
            p.row = f;
            p.path = path;
            p.row.offset += base;
            return p;
        }
        if (!f.is_nested) return {};
        base += f.offset;
        in = f.nested;
        rest.remove_prefix(dot + 1);
    }
}

template <std::size_t N>
struct fixed_string {
    char s[N]{};
    consteval fixed_string(const char (&in)[N]) {
        for (std::size_t i = 0; i < N; ++i)
            s[i] = in[i];
    }
    constexpr std::string_view view() const { return {s, N - 1}; }
};

template <const auto &L, fixed_string Path>
consteval place resolve() {
    place p = find_place(L, Path.view());
    if (p.row.name.empty()) error::this_layout_has_no_such_field();
    return p;
}
template <const auto &L, fixed_string Path>
inline constexpr place place_of = resolve<L, Path>();

// ---- typed access -----------------------------------------------------------------------------

// Reads a layout out of somebody's bytes. Fields beyond the end of the bytes read as zero.
template <const auto &L>
class view {
    std::span<const std::byte> b_;

public:
    constexpr explicit view(std::span<const std::byte> b) : b_(b) {}

    template <fixed_string Path>
    constexpr std::uint64_t get(std::uint32_t index = 0) const {
        static_assert(place_of<L, Path>.row.is_bits(), "a byte string or layout: use bytes<>()");
        return place_of<L, Path>.get(b_, index);
    }
    template <fixed_string Path>
    constexpr std::span<const std::byte> bytes() const {
        constexpr place p = place_of<L, Path>;
        static_assert(!p.row.is_bits(), "a number: use get<>()");
        if (p.row.offset >= b_.size()) return {};
        std::size_t n = p.row.count == 0 ? b_.size() - p.row.offset : p.row.size * p.row.count;
        return b_.subspan(p.row.offset,
                          n < b_.size() - p.row.offset ? n : b_.size() - p.row.offset);
    }
    constexpr std::span<const std::byte> all() const { return b_; }
};

// Writes a layout into somebody's bytes. A value that does not fit its field (or a field that does
// not fit the bytes) is not written, not masked and not trapped on: the editor remembers the first
// such field, and whoever sends the mailbox refuses it by that name.
template <const auto &L>
class editor {
    std::span<std::byte> b_;
    std::string_view misfit_{};

    constexpr void note(bool ok, std::string_view path) {
        if (!ok && misfit_.empty()) misfit_ = path;
    }

public:
    constexpr explicit editor(std::span<std::byte> b) : b_(b) {}

    // A constant: what does not fit does not compile.
    template <fixed_string Path, std::uint64_t Value>
    constexpr editor &set() {
        static_assert(place_of<L, Path>.row.is_bits(),
                      "a byte string or layout: use set_bytes<>()");
        static_assert(place_of<L, Path>.fits(Value), "this value does not fit its PRM field");
        note(place_of<L, Path>.put(b_, Value), place_of<L, Path>.path);
        return *this;
    }
    template <fixed_string Path>
    constexpr editor &set(std::uint64_t v) {
        return set_at<Path>(0, v);
    }
    template <fixed_string Path>
    constexpr editor &set_at(std::uint32_t index, std::uint64_t v) {
        constexpr const place &p = place_of<L, Path>;
        static_assert(p.row.is_bits(), "a byte string or layout: use set_bytes<>()");
        note((p.row.count == 0 || index < p.row.count) && p.put(b_, v, index), p.path);
        return *this;
    }
    // Bytes in memory order; fewer bytes than the field leave its tail as it is.
    template <fixed_string Path>
    constexpr editor &set_bytes(std::span<const std::byte> v) {
        constexpr place p = place_of<L, Path>;
        static_assert(!p.row.is_bits(), "a number: use set<>()");
        std::size_t room = p.row.offset < b_.size() ? b_.size() - p.row.offset : 0;
        std::size_t most = p.row.count == 0 ? room : std::size_t(p.row.size) * p.row.count;
        bool ok = v.size() <= most && v.size() <= room;
        note(ok, p.path);
        for (std::size_t i = 0; ok && i < v.size(); ++i)
            b_[p.row.offset + i] = v[i];
        return *this;
    }
    template <fixed_string Path>
    constexpr std::uint64_t get(std::uint32_t index = 0) const {
        return view<L>(b_).template get<Path>(index);
    }
    constexpr std::string_view misfit() const { return misfit_; }
    constexpr bool valid() const { return misfit_.empty(); }
    constexpr std::span<std::byte> all() { return b_; }
};

// A command or context with its own storage, zeroed. Trailing gives a trailing array its bytes.
template <const auto &L, std::size_t Trailing = 0>
class mailbox {
    std::array<std::byte, L.size + Trailing> bytes_{};
    std::string_view misfit_{};

    template <class F>
    constexpr mailbox &edit(F f) {
        editor<L> e{bytes_};
        f(e);
        if (misfit_.empty()) misfit_ = e.misfit();
        return *this;
    }

public:
    static constexpr const auto &prm = L;

    template <fixed_string Path, std::uint64_t Value>
    constexpr mailbox &set() {
        static_assert(place_of<L, Path>.inside(sizeof bytes_, 0), "this field leaves the mailbox");
        editor<L>{bytes_}.template set<Path, Value>(); // a constant that fits cannot go wrong
        return *this;
    }
    template <fixed_string Path>
    constexpr mailbox &set(std::uint64_t v) {
        return edit([&](auto &e) { e.template set<Path>(v); });
    }
    template <fixed_string Path>
    constexpr mailbox &set_at(std::uint32_t index, std::uint64_t v) {
        return edit([&](auto &e) { e.template set_at<Path>(index, v); });
    }
    template <fixed_string Path>
    constexpr mailbox &set_bytes(std::span<const std::byte> v) {
        return edit([&](auto &e) { e.template set_bytes<Path>(v); });
    }
    template <fixed_string Path>
    constexpr std::uint64_t get(std::uint32_t index = 0) const {
        return view<L>(bytes_).template get<Path>(index);
    }
    template <fixed_string Path>
    constexpr std::span<const std::byte> get_bytes() const {
        return view<L>(bytes_).template bytes<Path>();
    }
    // Name of the first field that was given a value it cannot hold; empty when there is none.
    constexpr std::string_view misfit() const { return misfit_; }
    constexpr bool valid() const { return misfit_.empty(); }
    constexpr std::span<const std::byte> bytes() const { return bytes_; }
    constexpr std::span<std::byte> bytes() { return bytes_; }
};

} // namespace kdevx::prm
