// SPDX-License-Identifier: MIT
// expect: as many values as fields
#include "kdevx/prm/wqe.hpp"
#include "wq/words.hpp"
using namespace kdevx;
void fill(std::byte *wqe);
void fill(std::byte *wqe) {
#ifdef WRONG
    wq::put<prm::wqe_ctrl, "qpn_or_sqn", "ds">(wqe, 10);
#else
    wq::put<prm::wqe_ctrl, "qpn_or_sqn", "ds">(wqe, 10, 1);
#endif
}
