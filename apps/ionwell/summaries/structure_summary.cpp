// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/structure_summary.hpp"

#include <algorithm>

#include "core/chemistry/extra_particles.hpp"
#include "core/chemistry/free_nucleotides.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "solvation/simulation_cell.hpp"

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

void print_composition(std::ostream& out, const Composition& composition, CellUse use) {
  for (const auto& [label, count] :
       {std::pair("protein", &composition.protein), std::pair("nucleic acid", &composition.nucleic_acid),
        std::pair("lipids", &composition.lipid)})
    if (count->residues > 0) print_row(out, label, describe(*count));
  if (composition.water.residues > 0)
    print_row(out, "water", describe(composition.water),
              !composition.water_left_out                        ? "; solute"
              : use == CellUse::made                             ? "; they stay"
              : use == CellUse::open || use == CellUse::periodic ? "; ions replace them"
                                                                 : "; left out");
  if (composition.ions.residues > 0)
    print_row(out, "ions",
              listed(composition.ion_kinds,
                     [](const IonCount& ion) {
                       return grouped(ion.count) + ' ' + std::string(ion.name.view()) + " (" +
                              charge_text(ion.charge_e) + ')';
                     }),
              "; solute");
  if (composition.unknown.residues > 0) {
    const auto is_nucleotide = [](const NameCount& name) { return is_free_nucleotide(name.name.view()); };
    print_row(out, std::ranges::all_of(composition.unknown_names, is_nucleotide) ? "ligands" : "unknown",
              describe(composition.unknown), ": ",
              listed(composition.unknown_names, [&](const NameCount& name) {
                return grouped(name.residues) + ' ' + std::string(name.name.view()) +
                       (is_nucleotide(name) ? " (nucleotide)" : "");
              }));
  }
}

/// A row that says whose cell it is, where that is a reason not to use it.
void print_owner(std::ostream& out, const Structure& structure) {
  if (structure.cell->kind == CellKind::crystal) print_row(out, "kind of cell", "a crystal's");
  if (structure.cell->kind != CellKind::undecided) return;
  if (stands_for_none(*structure.cell, structure.atoms))
    print_row(out, "kind of cell", "no larger than its contents, as programs without a cell write it");
  else
    print_row(out, "kind of cell", "of a crystal or a simulation; the file does not state which");
}

/// "30 x 40 x 50 A, angles 90, 90, 120".
std::string describe(const UnitCell& cell) {
  const Vec3<double> length = lengths_A(cell), angle = angles_deg(cell);
  TextStream text;
  text << length.x << " x " << length.y << " x " << length.z << " A";
  if (angle != Vec3<double>{90.0, 90.0, 90.0})
    text << ", angles " << angle.x << ", " << angle.y << ", " << angle.z;
  return text.str();
}

}  // namespace

void print_structure_kinds(std::ostream& out, const Structure& structure, CellUse use) {
  print_solute(out, structure);
  if (structure.composition) print_composition(out, *structure.composition, use);
  const auto [drude, lone_pairs] = count_extra_particles(structure.atoms);
  if (drude > 0) print_row(out, "Drude", count_of(drude, "particle"), ", counted with their atoms");
  if (lone_pairs > 0) print_row(out, "lone pairs", grouped(lone_pairs));
}

void print_own_cell(std::ostream& out, const Structure& structure) {
  if (!structure.cell || structure.cell->kind == CellKind::simulation ||
      stands_for_none(*structure.cell, structure.atoms))
    return;
  print_row(out, "own cell", describe(*structure.cell), "; not used");
  print_owner(out, structure);
}

void print_structure(std::ostream& out, const Structure& structure, CellUse use) {
  print_structure_kinds(out, structure, use);
  if (!structure.cell) return;
  const bool is_periodic = use == CellUse::periodic || use == CellUse::images;
  print_row(out, "cell", describe(*structure.cell),
            is_periodic                 ? ", periodic"
            : use == CellUse::distances ? ", periodic for distances; the potential has no periodic images"
                                        : "; not used: the solute stands alone, without periodic images");
  if (!is_periodic) print_owner(out, structure);
}

}  // namespace ionwell
