// SPDX-License-Identifier: MIT
// Walks all tables of include/kdevx/prm and prints the comparison with the kernel's headers as C++.
//
//     ifc_checks EXCEPTIONS NUMBER-OF-HEADERS > checks.cpp
//
// tables.inc, made by ifc.py from the text of the headers, names every table once.
#include "tables.inc"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

using namespace kdevx::prm;

namespace {

// The lines of ifc_exceptions.txt: what a line excuses, and whether something used it.
class exceptions {
    std::map<std::string, std::string> lines_;
    std::set<std::string> used_;

public:
    explicit exceptions(const char *path) {
        std::ifstream in(path);
        if (!in) {
            std::cerr << path << ": cannot be read\n";
            std::exit(1);
        }
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line[0] == '#') continue;
            std::istringstream words(line);
            std::string kind, name, rest;
            words >> kind >> name;
            std::getline(words >> std::ws, rest);
            if (rest.empty()) {
                std::cerr << path << ": no reason given: " << line << "\n";
                std::exit(1);
            }
            lines_[kind + " " + name] = rest;
        }
    }
    // The reason (or the other name, for an alias); null when there is no such line.
    const std::string *find(const std::string &kind, const std::string &name) {
        auto it = lines_.find(kind + " " + name);
        if (it == lines_.end()) return nullptr;
        used_.insert(it->first);
        return &it->second;
    }
    bool report_unused() const {
        for (const auto &[key, reason] : lines_)
            if (!used_.count(key))
                std::cerr << "ifc_exceptions.txt: '" << key << "' excuses nothing that we have\n";
        return used_.size() != lines_.size();
    }
};

unsigned headers;

// "h0::NAME, h1::NAME"
std::string in_all(const std::string &name) {
    std::string r;
    for (unsigned i = 0; i < headers; ++i)
        r += (i ? ", h" : "h") + std::to_string(i) + "::" + name;
    return r;
}
std::string joined(const std::string &before, const std::string &name, const std::string &after,
                   const char *with) {
    std::string r;
    for (unsigned i = 0; i < headers; ++i)
        r += (i ? with : "") + before + "h" + std::to_string(i) + "::" + name + after;
    return r;
}
void check(const std::string &condition, const std::string &message) {
    std::cout << "static_assert(" << condition << ",\n    \"" << message << "\");\n";
}

std::string struct_of(const layout_base &l, exceptions &list) {
    const std::string *alias = list.find("alias", std::string(l.name));
    return alias ? *alias : "mlx5_ifc_" + std::string(l.name) + "_bits";
}

void check_row(const layout_base &l, const field &f, const std::string &of, exceptions &list) {
    std::string name(f.name), full = std::string(l.name) + "." + name;
    std::string row = "field_" + name + ", " + in_all(of), has = "some_header_has<" + row + ">";
    if (list.find("row", full)) {
        check("!(" + has + ")", full + " is listed as an exception, but a header has it");
        return;
    }
    check(has, full + ": no header has this row");
    std::size_t element = f.is_bits() ? f.width() : std::size_t(f.size) * 8;
    std::size_t size = f.count ? element * f.count : 0;
    std::ostringstream ours;
    ours << "(" << f.first_bit() << ", " << size << ", " << element << ")";
    std::string all = "headers_agree<" + row + ">" + ours.str();
    if (list.find("older", full)) {
        check("newest_agrees<" + row + ">" + ours.str(), full + ": the newest header disagrees");
        check("!" + all, full + " is listed as different in older headers, but all agree");
    } else if (list.find("unlike", full)) {
        check("!" + all, full + " is listed as unlike, but the headers agree with it");
    } else {
        check(all, full + ": a header has it at another place or size than ours " + ours.str());
    }
}

void check_layout(const layout_base &l, const char *file, exceptions &list) {
    std::string name(l.name), of = struct_of(l, list), found = "newest_size<" + in_all(of) + ">()";
    for (unsigned i = 0; i < headers; ++i)
        std::cout << "namespace h" << i << " { struct " << of << "; }\n";
    if (list.find("layout", name) || list.find("file", file)) {
        check(found + " == 0", name + " is listed as an exception, but a header has it");
        return;
    }
    check(found + " != 0", name + ": no header has this layout");
    if (!list.find("size", name))
        check(found + " == 0 || " + found + " == " + std::to_string(l.size * 8),
              name + ": the newest header's size is not ours, " + std::to_string(l.size * 8));
    for (const field &f : l.rows)
        check_row(l, f, of, list);
}

std::string kernel_name(const char *table, const values_base &t, const value &v, exceptions &list) {
    const std::string *alias = list.find("alias", std::string(table) + "." + std::string(v.name));
    return alias ? *alias : std::string(t.prefix) + std::string(v.name);
}

// Where the kernel has a mask or a field already in its place, and our table the number itself.
std::string as_kernel_writes_it(const char *table, const value &v, exceptions &list) {
    std::string number = std::to_string(v.number) + "ull";
    if (list.find("bits", table)) return "1ull << " + number;
    const std::string *shift = list.find("shift", table);
    return shift ? number + " << " + std::to_string(std::stoi(*shift)) : number;
}

void check_values(const char *table, const values_base &t, exceptions &list) {
    bool all = list.find("values", table);
    for (const value &v : t.rows) {
        std::string full = std::string(table) + "." + std::string(v.name);
        std::string k = kernel_name(table, t, v, list), found = joined("here(", k, ")", " || ");
        if (all || list.find("value", full)) {
            check("!(" + found + ")", full + " is listed as an exception, but a header has it");
            continue;
        }
        check(found, full + ": no header has " + k);
        std::string number = as_kernel_writes_it(table, v, list);
        check(joined("is_or_absent(", k, ", " + number + ")", " && "),
              full + ": a header gives " + k + " another number than " + number);
    }
}

struct named_values {
    const char *name;
    const values_base *table;
};
struct filed_layout {
    const char *file;
    const layout_base *layout;
};
const filed_layout layouts[] = {
#define LAYOUT(file, name) {file, &name},
#define VALUES(name)
    ALL_TABLES
#undef LAYOUT
#undef VALUES
};
const named_values value_tables[] = {
#define LAYOUT(file, name)
#define VALUES(name) {#name, &name},
    ALL_TABLES
#undef LAYOUT
#undef VALUES
};

// Names that a header may lack: fields get a probe, numbers a stand-in that lookup falls back on.
void print_preamble(exceptions &list) {
    std::cout << "#include \"ifc_support.hpp\"\nnamespace absent_here {\n";
    std::set<std::string> numbers, fields;
    for (const named_values &t : value_tables)
        for (const value &v : t.table->rows)
            numbers.insert(kernel_name(t.name, *t.table, v, list));
    for (const std::string &n : numbers)
        std::cout << "inline constexpr absent " << n << "{};\n";
    std::cout << "}\n";
    for (unsigned i = 0; i < headers; ++i)
        std::cout << "namespace h" << i << " {\nusing namespace absent_here;\n#include \"header_"
                  << i << ".h\"\n}\n";
    for (const filed_layout &l : layouts)
        for (const field &f : l.layout->rows)
            if (!list.find("file", l.file)) fields.insert(std::string(f.name));
    for (const std::string &n : fields)
        std::cout << "FIELD(" << n << ")\n";
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::cerr << "usage: ifc_checks EXCEPTIONS NUMBER-OF-HEADERS\n";
        return 2;
    }
    exceptions list(argv[1]);
    headers = unsigned(std::atoi(argv[2]));
    print_preamble(list);
    for (const filed_layout &l : layouts)
        check_layout(*l.layout, l.file, list);
    for (const named_values &t : value_tables)
        check_values(t.name, *t.table, list);
    return list.report_unused() ? 1 : 0;
}
