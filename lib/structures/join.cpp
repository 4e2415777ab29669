// SPDX-License-Identifier: BSD-3-Clause
#include "structures/join.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

/// One name in two spellings: cut at four letters or more, or with its digits in front (1HB and HB1).
bool same_name(const Label& a, const Label& b) {
  if (a == b) return true;
  const std::string x = lower_case(a.view()), y = lower_case(b.view());
  constexpr std::size_t shortest_cut = 3;
  if (std::min(x.size(), y.size()) >= shortest_cut && (x.starts_with(y) || y.starts_with(x))) return true;
  return x.size() == y.size() && std::is_permutation(x.begin(), x.end(), y.begin());
}

/// The first of a name that is no digit, which begins the element's symbol as a rule; in lower case.
char first_letter(const Label& name) {
  const std::string text = lower_case(name.view());
  const std::size_t at = text.find_first_not_of("0123456789");
  return at == text.npos ? ' ' : text[at];
}

std::string describe(const AtomLabels& labels) {
  std::string text(labels.residue.view());
  text.append(" ").append(std::to_string(labels.residue_number));
  return text.append(" ").append(labels.name.view());
}

}  // namespace

void place_atoms(std::vector<Atom>& atoms, const Coordinates& coordinates, const std::string& topology_path,
                 const std::string& path, std::vector<std::string>& warnings) {
  const std::size_t count = coordinates.positions_A.size();
  std::size_t first = std::min(count, atoms.size()), respelled = 0, others = 0;
  if (coordinates.labels.size() == count)
    for (std::size_t i = 0; i < std::min(count, atoms.size()); ++i) {
      const Label &here = coordinates.labels[i].name, &there = atoms[i].name;
      if (same_name(here, there)) continue;
      const bool is_other = first_letter(here) != first_letter(there);
      if (is_other ? others++ == 0 : respelled == 0 && others == 0) first = i;
      respelled += !is_other;
    }
  const std::size_t different = respelled + others;
  const auto where = [&] {
    return "; the first difference is at atom " + grouped(std::int64_t(first) + 1) + ", " +
           describe(atoms[first]) + " in " + topology_path + " and " + describe(coordinates.labels[first]) +
           " in " + path;
  };
  if (count != atoms.size())
    fail(path, ": has ", count_of(std::int64_t(count), "atom"), ", and ", topology_path, " has ",
         grouped(std::ssize(atoms)), different > 0 ? where() : std::string(),
         "; give the coordinates that belong to this topology");
  if (others > count / 100)
    fail(path, ": its atoms differ from those of ", topology_path, where(),
         "; give the coordinates that belong to this topology, in the same order");
  if (different > 0)
    warnings.push_back(path + ": " + count_of(std::int64_t(different), "atom") +
                       (different == 1 ? " has" : " have") + " a different name from that in " +
                       topology_path + where());
  for (std::size_t i = 0; i < count; ++i) atoms[i].position_A = coordinates.positions_A[i];
}

}  // namespace ionwell
