// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/made_structure.hpp"
#include "chemistry/templates/residue_table.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// By atom of a residue, what it is sent as where its parent is built in its place.
std::map<std::string, std::string> replaced(std::string_view name, std::string_view parent) {
  MadeStructure made;
  made.add(name);
  ResiduePlan plan;
  plan.parent = residue_table().find(parent);
  plan.is_replaced = true;
  const std::vector<Label> names = sent_names(made.atoms(), plan);
  REQUIRE(names.size() == made.atoms().size());
  std::map<std::string, std::string> sent;
  for (std::size_t n = 0; n < names.size(); ++n)
    sent[std::string(made.atoms()[n].name.view())] = std::string(names[n].view());
  return sent;
}

}  // namespace

TEST_CASE("sent names: the ring of a pseudouridine is turned where uridine is built in its place") {
  std::map<std::string, std::string> sent = replaced("PSU", "U"), saturated = replaced("FHU", "U");
  CHECK(saturated["F5"].empty());
  CHECK(saturated["O6"].empty());
  for (const auto& [atom, name] :
       {std::pair("C5", "N1"), std::pair("C4", "C2"), std::pair("O4", "O2"), std::pair("N3", "N3"),
        std::pair("C2", "C4"), std::pair("O2", "O4"), std::pair("N1", "C5"), std::pair("C6", "C6"),
        std::pair("C1'", "C1'"), std::pair("P", "P")}) {
    CAPTURE(atom);
    CHECK(sent[atom] == name);
    CHECK(saturated[atom] == name);
  }
}

TEST_CASE(
    "sent names: what replaces an atom of the parent has its name, and what comes in addition has none") {
  std::map<std::string, std::string> thio = replaced("4SU", "U"), selenium = replaced("MSE", "MET"),
                                     methyl = replaced("OMC", "C");
  CHECK(thio["S4"] == "O4");
  CHECK(thio["O2"] == "O2");
  CHECK(selenium["SE"] == "SD");
  CHECK(selenium["CE"] == "CE");
  CHECK(methyl["CM2"].empty());
  CHECK(methyl["O2'"] == "O2'");
  for (const ResidueTemplate& t : residue_table().templates()) {
    if (t.parent == t.residue || !(t.ends == ChainEnds{}) || t.name != t.residue) continue;
    if (t.name == Label("PSU") || t.name == Label("FHU") || residue_table().find(t.parent.view()) == nullptr)
      continue;
    CAPTURE(describe(t));
    for (const auto& [atom, name] : replaced(t.name.view(), t.parent.view()))
      if (residue_table().find(t.parent.view())->find(atom) != ResidueTemplate::no_atom) CHECK(name == atom);
  }
}
