// SPDX-License-Identifier: MIT
// expect: these fields do not share one word
#include "kdevx/prm/wqe.hpp"
#include "wq/words.hpp"
using namespace kdevx;
void fill(std::byte *wqe);
void fill(std::byte *wqe) {
#ifdef WRONG
    wq::put<prm::wqe_ctrl, "opcode", "ds">(wqe, 10, 1);
#else
    wq::put<prm::wqe_ctrl, "opc_mod", "opcode">(wqe, 0, 10);
#endif
}
