// SPDX-License-Identifier: MIT
// Behind the functions of libmlx5 there is nobody here: verbs objects are ours. So only a QP's
// transition by DEVX has an owner to go to, which is told of it.
#include <string_view>

#include "compat/mlx5dv/next.hpp"
#include "compat/verbs/rings.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

int modify(ibv_qp *qp, const void *in, std::size_t inlen, void *out, std::size_t outlen) {
    attempt a;
    if (!a.takes(qp->context)) return EXDEV;
    const int rc = kdevx_qp_devx_modify(ours(qp)->own, in, inlen, out, outlen, a);
    const auto info = info_of<kdevx_qp_info>(ours(qp)->own, kdevx_qp_get_info);
    qp->state = ibv_qp_state(info.state);
    follow(*ours(qp));
    return a.ended(rc);
}

} // namespace

void *mlx5dv::next(const char *function) noexcept {
    return std::string_view(function) == "mlx5dv_devx_qp_modify" ? reinterpret_cast<void *>(modify)
                                                                 : nullptr;
}
