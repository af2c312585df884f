// SPDX-License-Identifier: MIT
// Prints a C++ source that compares every number and size of kabi/ with the UAPI headers it is then
// compiled against. The headers are included in a namespace that has ours around it: a name that an
// old header lacks is found outside, where it has another type, and is excused only if the table
// says that the name is newer than that header.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <set>
#include <string>

#include "kabi/kabi.hpp"
#include "kabi/uhw.hpp"
#include "kabi/write.hpp"

using namespace kdevx::kabi;

namespace {

std::set<std::string> declared;
std::string fallbacks, checks;

const char *version_code(since s) {
    const char *codes[] = {"6, 1", "6, 12", "7, 2", "7, 3"};
    return codes[unsigned(s)];
}

void number(std::string_view name_view, unsigned value, since from) {
    std::string name(name_view), v = std::to_string(value);
    if (declared.insert(name).second) fallbacks += "constexpr missing " + name + "{" + v + "};\n";
    checks += "static_assert(unsigned(" + name + ") == " + v + ", \"" + name + "\");\n";
    checks += std::string("#if LINUX_VERSION_CODE >= KERNEL_VERSION(") + version_code(from) +
              ", 0)\nstatic_assert(is_in_header(" + name + "), \"" + name +
              " is not in this header\");\n#endif\n";
}

void size(const std::string &type, unsigned bytes) {
    checks += "static_assert(sizeof(struct " + type + ") == " + std::to_string(bytes) + ", \"" +
              type + "\");\n";
}

// IB_USER_VERBS_CMD_REG_MR takes struct ib_uverbs_reg_mr, and so on but for two.
std::string struct_of(const write_command &c) {
    std::string_view prefix = c.number & ex ? "IB_USER_VERBS_EX_CMD_" : "IB_USER_VERBS_CMD_";
    if (c.name.ends_with("RWQ_IND_TBL")) return "ib_uverbs_ex_create_rwq_ind_table";
    std::string type = c.number & ex ? "ib_uverbs_ex_" : "ib_uverbs_";
    for (char ch : c.name.substr(prefix.size()))
        type += char(std::tolower(ch));
    return type;
}

void write_command_sizes(const write_command &c) {
    std::string type = struct_of(c);
    size(type, c.in);
    if (c.out) size((type == "ib_uverbs_open_qp" ? "ib_uverbs_create_qp" : type) + "_resp", c.out);
}

// For the comparison with a kernel's source: one line per attribute.
void print_rows() {
    const char *kinds[] = {"ptr_in",     "ptr_out", "const_in", "flags_in", "enum_in", "handle",
                           "new_handle", "destroy", "fd",       "new_fd",   "raw_fd",  "handles"};
    for (const object_entry &e : objects)
        for (const method_base *m : e.methods)
            for (const attr &a : m->attrs)
                std::printf("%s %s %s %u %u %d %s\n", m->name, a.name.data(),
                            kinds[unsigned(a.kind)], a.bytes.least, a.bytes.most, a.mandatory == M,
                            version(std::max(m->from, a.from)).data());
}

void walk() {
    for (const object_entry &e : objects) {
        number(e.object->name, e.object->id, e.object->from);
        for (const method_base *m : e.methods) {
            number(m->name, m->id, m->from);
            for (const attr &a : m->attrs)
                number(a.name, a.id, a.from);
        }
    }
    for (const write_command &c : write_commands) {
        number(c.name, c.number & ~ex, v6_1);
        write_command_sizes(c);
    }
    for (const uhw_struct &s : uhw_structs)
        size(std::string(s.name), s.size);
}

} // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::string(argv[1]) == "--rows") return print_rows(), 0;
    walk();
    std::printf(
        "#include <type_traits>\n"
        "#include <linux/if_ether.h>\n"
        "#include <linux/ioctl.h>\n"
        "#include <linux/types.h>\n"
        "#include <linux/version.h>\n"
        "namespace ours {\n"
        "struct missing { unsigned v; constexpr operator unsigned() const { return v; } };\n"
        "template <class T> constexpr bool is_in_header(T) { return true; }\n"
        "template <> constexpr bool is_in_header(missing) { return false; }\n"
        "%s"
        "namespace uapi {\n"
        "#include <rdma/ib_user_verbs.h>\n"
        "#include <rdma/ib_user_ioctl_verbs.h>\n"
        "#include <rdma/ib_user_ioctl_cmds.h>\n"
        "#include <rdma/mlx5_user_ioctl_verbs.h>\n"
        "#include <rdma/mlx5_user_ioctl_cmds.h>\n"
        "#include <rdma/mlx5-abi.h>\n"
        "%s}\n}\n",
        fallbacks.c_str(), checks.c_str());
}
