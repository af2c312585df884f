// SPDX-License-Identifier: MIT
#include "wq/completion.hpp"

#include "kdevx/prm/wqe.hpp"
#include "wq/inline_scatter.hpp"
#include "wq/words.hpp"

namespace kdevx::wq {

std::string_view syndrome_name(std::uint8_t syndrome) noexcept {
    const prm::value *v = prm::cqe_syndromes.find(std::uint32_t(syndrome));
    return v ? v->name : std::string_view("UNKNOWN");
}
std::string_view syndrome_text(std::uint8_t syndrome) noexcept {
    const prm::value *v = prm::cqe_syndromes.find(std::uint32_t(syndrome));
    return v ? v->text : std::string_view("");
}

namespace {

bool scatter_field(std::uint32_t bytes, std::uint32_t cqe_size, std::uint8_t small,
                   std::uint8_t large, std::uint8_t &field) noexcept {
    if (bytes > (cqe_size == 128 ? 64u : 32u)) return false;
    field = bytes == 0 ? prm::cqe_scatter<"SCAT_NONE"> : bytes <= 32 ? small : large;
    return true;
}

} // namespace

bool requester_scatter(std::uint32_t bytes, std::uint32_t cqe_size, std::uint8_t &cs_req) noexcept {
    return scatter_field(bytes, cqe_size, prm::cqe_scatter<"REQ_SCAT_DATA32_CQE">,
                         prm::cqe_scatter<"REQ_SCAT_DATA64_CQE">, cs_req);
}
bool responder_scatter(std::uint32_t bytes, std::uint32_t cqe_size, std::uint8_t &cs_res) noexcept {
    return scatter_field(bytes, cqe_size, prm::cqe_scatter<"RES_SCAT_DATA32_CQE">,
                         prm::cqe_scatter<"RES_SCAT_DATA64_CQE">, cs_res);
}
bool cqe_size_field(std::uint32_t cqe_size, std::uint8_t &cqe_sz) noexcept {
    if (cqe_size != 64 && cqe_size != 128) return false;
    cqe_sz = cqe_size == 64 ? prm::cqe_stride<"64"> : prm::cqe_stride<"128">;
    return true;
}

error scatter_inline(const std::byte *cqe, std::uint32_t cqe_size, cursor segments,
                     std::uint32_t count) noexcept {
    using prm::cqe64, prm::wqe_data;
    const std::uint32_t format = get<cqe64, "format">(cqe);
    const bool large = format == prm::cqe_format<"INLINE_64">;
    if (format == prm::cqe_format<"COMPRESSED"> || (large && cqe_size != 128))
        return error::unexpected_cqe;
    const std::byte *from = large ? cqe - 64 : cqe;
    std::uint32_t left = get<cqe64, "byte_cnt">(cqe);
    if (left > (large ? 64u : 32u)) return error::inline_data_lost;
    for (; left != 0 && count != 0; --count) {
        const std::byte *s = segments.unit();
        std::uint32_t n = get<wqe_data, "byte_count">(s);
        if (n > left) n = left;
        if (n == 0) break; // the end of a list
        std::memcpy(reinterpret_cast<void *>(std::uintptr_t(get<wqe_data, "addr">(s))), from, n);
        from += n;
        left -= n;
    }
    return left == 0 ? error::none : error::inline_data_lost;
}

} // namespace kdevx::wq
