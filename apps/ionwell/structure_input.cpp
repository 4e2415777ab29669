#include "ionwell/structure_input.hpp"

#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/run_summary.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_shown = 8;  // names or kinds of ions in a row

std::string describe(const KindCount& count) {
  return count_of(count.residues, "residue") + ", " + count_of(count.atoms, "atom") + ", " +
         charge_text(count.charge_e) + " e";
}

/// "13 MG (+2), 4 CL (-1)"; of many the first.
template <typename Entries, typename Describe>
std::string listed(const Entries& entries, const Describe& describe_entry) {
  std::string text;
  for (std::size_t i = 0; i < entries.size() && i < most_shown; ++i)
    text += (i == 0 ? "" : ", ") + describe_entry(entries[i]);
  if (entries.size() > most_shown)
    text += " and " + grouped(std::int64_t(entries.size() - most_shown)) + " more";
  return text;
}

void print_composition(std::ostream& out, const Composition& composition) {
  for (const auto& [label, count] :
       {std::pair("protein", &composition.protein), std::pair("nucleic acid", &composition.nucleic_acid),
        std::pair("lipids", &composition.lipid)})
    if (count->residues > 0) print_row(out, label, describe(*count));
  if (composition.water.residues > 0)
    print_row(out, "water", describe(composition.water),
              composition.water_left_out ? "; left out" : "; solute");
  if (composition.ions.residues > 0)
    print_row(out, "ions",
              listed(composition.ion_kinds,
                     [](const IonCount& ion) {
                       return grouped(ion.count) + ' ' + std::string(ion.name.view()) + " (" +
                              charge_text(ion.charge_e) + ')';
                     }),
              "; solute");
  if (composition.unknown.residues > 0)
    print_row(out, "unknown", describe(composition.unknown), ": ",
              listed(composition.unknown_names, [](const NameCount& name) {
                return grouped(name.residues) + ' ' + std::string(name.name.view());
              }));
}

}  // namespace

void add_structure_options(OptionGroup& group, ReadOptions& options) {
  group.add_choice("input-water", options.water,
                   {{"ignore", InputWater::ignore}, {"solute", InputWater::solute}},
                   "what waters in STRUCTURE are: left out of everything, or solute on purpose (not given: "
                   "solute, with a warning)");
}

void print_structure(std::ostream& out, const Structure& structure) {
  print_solute(out, structure);
  if (structure.composition) print_composition(out, *structure.composition);
  if (structure.cell)
    print_row(out, "cell", structure.cell->lengths_A.x, " x ", structure.cell->lengths_A.y, " x ",
              structure.cell->lengths_A.z, " A; not used: the solute stands alone, without periodic images");
}

}  // namespace ionwell
