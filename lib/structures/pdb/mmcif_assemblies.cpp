// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <string>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/pdb/cif_scanner.hpp"
#include "structures/pdb/mmcif_reader.hpp"

namespace ionwell {
namespace {

using Operators = std::vector<AssemblyOperator>;

Operators read_operators(const CifTable& table, const std::string& where) {
  const std::string category = "_pdbx_struct_oper_list.";
  const int name = table.column(category + "id");
  std::array<std::array<int, 4>, 3> columns{};  // of a row's matrix elements and shift
  for (std::size_t row = 0; row < 3; ++row) {
    const std::string index = '[' + std::to_string(row + 1) + ']';
    for (std::size_t i = 0; i < 3; ++i)
      columns[row][i] = table.column(category + "matrix" + index + '[' + std::to_string(i + 1) + ']');
    columns[row][3] = table.column(category + "vector" + index);
  }
  Operators operators;
  for (std::size_t n = 0; n < table.rows(); ++n) {
    AssemblyOperator op{.name = std::string(table.at(n, name))};
    double shift_A[3] = {};
    for (std::size_t row = 0; row < 3; ++row) {
      std::array<double, 4> numbers{};
      for (std::size_t i = 0; i < 4; ++i) {
        const std::string_view text = table.at(n, columns[row][i]);
        const auto number = parse_number(text);
        if (!number)
          fail(where, ": ", quote(text), " in operator ", quote(op.name),
               " of _pdbx_struct_oper_list is not a number; correct it, or use no assembly");
        numbers[i] = *number;
      }
      op.rotation[row] = {numbers[0], numbers[1], numbers[2]};
      shift_A[row] = numbers[3];
    }
    op.shift_A = {shift_A[0], shift_A[1], shift_A[2]};
    check_operator(op, where);
    operators.push_back(std::move(op));
  }
  return operators;
}

/// First b, then a.
AssemblyOperator product(const AssemblyOperator& a, const AssemblyOperator& b) {
  AssemblyOperator result{.name = a.name + 'x' + b.name};
  const auto row_times = [&b](const Vec3<double>& r) {
    return r.x * b.rotation[0] + r.y * b.rotation[1] + r.z * b.rotation[2];
  };
  const auto dot = [&b](const Vec3<double>& r) {
    return r.x * b.shift_A.x + r.y * b.shift_A.y + r.z * b.shift_A.z;
  };
  for (std::size_t row = 0; row < 3; ++row) result.rotation[row] = row_times(a.rotation[row]);
  result.shift_A = Vec3<double>{dot(a.rotation[0]), dot(a.rotation[1]), dot(a.rotation[2])} + a.shift_A;
  return result;
}

/// An operator expression: "1", "1,3,5", "(1-60)", "P", "(X0)(1-5,11-15)", which is a product whose last
/// factor acts first.
class Expression {
 public:
  Expression(std::string_view text, const Operators& known, const std::string& where)
      : text_(text), known_(known), where_(where) {}

  Operators operators() const {
    std::string_view rest = text_;
    if (rest.find('(') == rest.npos) return listed(rest);
    Operators result;
    while (!(rest = trim(rest)).empty()) {
      const std::size_t close = rest.find(')');
      if (rest.front() != '(' || close == rest.npos) complain();
      const Operators factor = listed(rest.substr(1, close - 1));
      rest.remove_prefix(close + 1);
      result = result.empty() ? factor : products(result, factor);
    }
    return result;
  }

 private:
  static constexpr std::size_t most = 100'000;  // the largest capsids of the PDB have some hundreds

  [[noreturn]] void complain() const {
    fail(where_, ": the operator expression ", quote(text_),
         " cannot be read, or names too many operators or some that _pdbx_struct_oper_list does not have; "
         "use no assembly, or the file of the assembly from the PDB");
  }

  const AssemblyOperator& named(std::string_view name) const {
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [name](const AssemblyOperator& op) { return op.name == name; });
    if (found == known_.end()) complain();
    return *found;
  }

  Operators listed(std::string_view list) const {
    Operators result;
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(','), list.size());
      const std::string_view entry = trim(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
      const std::size_t dash = entry.find('-');
      if (dash == entry.npos) {
        result.push_back(named(entry));
        continue;
      }
      const auto first = parse_integer(entry.substr(0, dash)), last = parse_integer(entry.substr(dash + 1));
      if (!first || !last || *first > *last) complain();
      for (int i = *first; i <= *last && result.size() <= most; ++i)
        result.push_back(named(std::to_string(i)));
    }
    if (result.empty() || result.size() > most) complain();
    return result;
  }

  Operators products(const Operators& outer, const Operators& inner) const {
    if (outer.size() > most / inner.size()) complain();
    Operators result;
    for (const AssemblyOperator& a : outer)
      for (const AssemblyOperator& b : inner) result.push_back(product(a, b));
    return result;
  }

  std::string_view text_;
  const Operators& known_;
  const std::string& where_;
};

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (const std::string_view name = trim(list.substr(0, end)); !name.empty())
      names.emplace_back(name.substr(0, Label::capacity));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

}  // namespace

std::vector<Assembly> mmcif_assemblies(std::string_view text, const std::string& path) {
  const auto skip_atoms = [](std::span<const std::string>, CifScanner& scanner) {
    while (scanner.kind() == CifScanner::Kind::value) scanner.next();
  };
  CifScanner scanner(text, path);
  return assemblies_of(read_cif(scanner, path, assembly_categories, "_atom_site.", skip_atoms), path);
}

std::vector<Assembly> assemblies_of(std::span<const CifTable> tables, const std::string& path) {
  const CifTable &parts = tables[0], &list = tables[1];
  const auto where = [&path](const CifTable& table) { return path + ':' + std::to_string(table.line); };
  const Operators operators = read_operators(list, where(list));
  const int name = parts.column("_pdbx_struct_assembly_gen.assembly_id"),
            expression = parts.column("_pdbx_struct_assembly_gen.oper_expression"),
            chains = parts.column("_pdbx_struct_assembly_gen.asym_id_list");
  const std::string here = where(parts);
  std::vector<Assembly> assemblies;
  for (std::size_t row = 0; row < parts.rows(); ++row) {
    const std::string_view id = parts.at(row, name);
    auto found = std::find_if(assemblies.begin(), assemblies.end(),
                              [id](const Assembly& assembly) { return assembly.name == id; });
    if (found == assemblies.end()) found = assemblies.insert(found, {.name = std::string(id), .parts = {}});
    found->parts.push_back({.chains = names_of(parts.at(row, chains)),
                            .operators = Expression(parts.at(row, expression), operators, here).operators()});
  }
  return assemblies;
}

}  // namespace ionwell
