// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/solvate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/available_memory.hpp"
#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "core/text/text_stream.hpp"
#include "core/units.hpp"
#include "solvation/membrane_cell.hpp"
#include "solvation/simulation_cell.hpp"
#include "solvation/solute_extent.hpp"
#include "solvation/whole_molecules.hpp"
#include "structures/molecules/beads.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr double water_u = 18.01528;                        // IUPAC 2021, abridged
constexpr double g_cm3_per_u_A3 = 1e24 / avogadro_per_mol;  // 1.66054
constexpr double narrowest_A = 12.0;                        // of a cell: both seams of a pair of faces
constexpr double clash_A = 1.0;                             // between the solute and its image
constexpr std::int64_t bytes_per_water = 40;                // at most, while the cell is filled

/// "50.1 x 50.1 x 50.1 A".
std::string describe(const Vec3<double>& lengths_A) {
  TextStream text;
  text.precision(4);
  text << lengths_A.x << " x " << lengths_A.y << " x " << lengths_A.z << " A";
  return text.str();
}

std::vector<Vec3<double>> positions_of(std::span<const Atom> atoms) {
  std::vector<Vec3<double>> positions;
  for (const Atom& atom : atoms) positions.push_back(atom.position_A);
  return positions;
}

/// The cell that is asked for.
CellVectors checked_cell(const CellParameters& cell) {
  const auto& [lengths, angles] = cell;
  for (const double length_A : {lengths.x, lengths.y, lengths.z})
    if (!(length_A > 0.0) || !std::isfinite(length_A))
      fail<UsageError>("a cell has three lengths greater than 0, but --cell has ", length_A, "; correct it");
  try {
    return PeriodicCell(cell_vectors(cell)).vectors();
  } catch (const Error&) {
    fail<UsageError>("a cell cannot have angles of ", angles.x, ", ", angles.y, " and ", angles.z,
                     " degrees: each must be less than the sum of the other two, and their sum less than "
                     "360; correct --cell");
  }
}

void check_distances(const SolvationOptions& options) {
  constexpr double largest_A = 1e4;
  if (options.cell && options.orient)
    fail<UsageError>("--orient finds the smallest cell, but --cell sets the cell; leave one of them out");
  if (!(options.cutoff_A >= 0.0 && std::isfinite(options.cutoff_A)))
    fail<UsageError>("--cutoff is ", options.cutoff_A,
                     " A, but it must not be negative; use that of the simulation, 8 to 12 A");
  if (!(options.padding_A >= 0.0) || options.padding_A > largest_A)
    fail<UsageError>("--padding is ", options.padding_A, " A, but it must be from 0 to ", largest_A,
                     ": it is the distance from the solute to the faces of the cell");
}

/// The smallest cell is not looked for where a bilayer has its own.
void check_membrane_options(const SolvationOptions& options, const std::string& path,
                            std::vector<std::string>& warnings) {
  if (options.orient)
    fail<UsageError>("--orient rotates the solute for the smallest cell, but ", path,
                     " contains a bilayer, which keeps its own cell; leave --orient out");
  if (options.shape != CellShape::cube && options.shape != CellShape::rectangular)
    warnings.push_back(
        note(path +
             ": contains a bilayer, which keeps the vectors of its cell in the plane, so that --cell-shape " +
             std::string(to_string(options.shape)) + " is not used"));
}

void check_memory(double volume_A3, const WaterBox& box) {
  const double waters = volume_A3 * double(box.molecules) / std::pow(box.edge_A, 3);
  const double needed = double(bytes_per_water) * waters;
  const std::int64_t free_bytes = available_memory_bytes();
  if (needed < double(free_bytes)) return;
  TextStream text;
  text.precision(3);
  text << volume_A3 << " A^3 hold " << waters << " waters";
  fail("the cell's ", text.str(), ", which need ", describe_bytes(std::int64_t(std::min(needed, 9e18))),
       " of memory, but only ", describe_bytes(free_bytes), " are free; give a smaller --padding or --cell");
}

Vec3<double> middle_of(const Box& box) {
  return 0.5 * (box.lowest_A + box.highest_A);
}

}  // namespace

void refuse_bulk_water(const Structure& structure) {
  // Crystals have about one water for ten other heavy atoms, a simulation several for each.
  std::int64_t waters = 0, others = 0;
  const std::span<const Atom> atoms = structure.atoms;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    for (std::size_t n = residue.begin; n < residue.end && residue.kind != ResidueKind::water; ++n)
      others += element_of(atoms[n]) != "H";
    waters += residue.kind == ResidueKind::water;
    begin = residue.end;
  }
  constexpr std::int64_t few = 50;
  if (waters <= few || 2 * waters <= others) return;
  fail(structure.path, ": has ", count_of(waters, "water"), " and ", count_of(others, "other heavy atom"),
       ", so it is in water already. Use 'ionwell place' to put ions into that water, --input-water ignore "
       "to remove it and fill a new cell, or --input-water solute to keep it and add the missing water");
}

std::int64_t Solvation::atoms() const {
  return std::ssize(solute) + waters.size() * std::int64_t(waters.atoms_each());
}

Solvation solvate(const Structure& structure, const SolvationOptions& options,
                  std::span<const AtomLink> links) {
  check_distances(options);
  const WaterModel& model = water_model(options.water_model);
  const WaterBox& box = water_box(model.name);
  if (structure.atoms.empty()) fail(structure.path, ": has no atoms; give a structure that has atoms");
  if (are_beads(structure.atoms))
    fail(structure.path, ": ", beads_problem,
         ", so all-atom water cannot be added; convert it to all atoms first (backmapping)");
  if (!options.accept_bulk_water) refuse_bulk_water(structure);

  std::vector<std::string> warnings = torn_molecule_warnings(structure);
  std::vector<Atom> solute = structure.atoms;
  std::int64_t made_whole = 0;
  const std::optional<UnitCell> own_cell = simulation_cell(structure);
  if (own_cell) {
    made_whole = make_whole(solute, PeriodicCell(*own_cell), links);
    if (made_whole > 0)
      warnings.push_back(note(structure.path + ": was broken across the boundary of its own cell; " +
                              count_of(made_whole, "atom") +
                              " shifted to the others by vectors of that cell"));
  }
  std::optional<CellVectors> membrane_cell;
  if (!options.cell && own_cell)
    membrane_cell = cell_of_membrane(solute, *own_cell, options.padding_A, links);
  if (membrane_cell) check_membrane_options(options, structure.path, warnings);
  if (!options.cell && !own_cell && holds_bilayer(solute))
    warnings.push_back(structure.path +
                       ": contains a bilayer whose cell is not known, so water also surrounds its edges; "
                       "give the cell with --cell A,B,C");

  Rotation rotation;
  CellVectors vectors;
  std::vector<Vec3<double>> positions = positions_of(solute);
  if (options.cell) {
    vectors = checked_cell(*options.cell);
  } else if (membrane_cell) {
    vectors = *membrane_cell;
  } else {
    if (options.orient) rotation = rotation_of_least_volume(positions, options.shape, options.padding_A);
    for (Vec3<double>& p : positions) p = rotation(p);
    const std::vector<double> extents = extents_A(positions, face_pairs(options.shape));
    vectors = cell_of(options.shape, sizes_around(options.shape, extents, options.padding_A));
  }
  for (std::size_t n = 0; n < solute.size(); ++n) solute[n].position_A = positions[n];
  const Vec3<double> middle = 0.5 * (vectors.a + vectors.b + vectors.c);
  const Vec3<double> translation_A = middle - middle_of(bounding_box(solute));
  for (std::size_t n = 0; n < solute.size(); ++n)
    solute[n].position_A = positions[n] = positions[n] + translation_A;

  if (!has_volume(vectors))
    fail<UsageError>(structure.path,
                     ": is a point or flat, so a cell without padding has no volume; give --padding");
  const PeriodicCell cell(vectors);
  const Vec3<double> widths = cell.widths_A();
  if (2 * cell.inscribed_radius_A() < narrowest_A)
    fail<UsageError>("the nearest image of the cell is ", 2 * cell.inscribed_radius_A(),
                     " A away, but water needs at least ", narrowest_A,
                     " A; give a larger --padding or --cell");
  check_memory(cell.volume_A3(), box);
  const double own_image_A = distance_to_own_image_A(positions, cell);
  if (own_image_A < clash_A && !membrane_cell) {
    const Box solute_box = bounding_box(solute);
    fail<UsageError>(structure.path, ": the solute is ", describe(solute_box.highest_A - solute_box.lowest_A),
                     " and larger than the cell, whose faces are ", describe(widths),
                     " apart: it would overlap its own image; give a larger --cell, or --padding instead");
  }
  if (own_image_A < options.cutoff_A && !membrane_cell) {
    TextStream text;
    text.precision(3);
    text << structure.path << ": is " << own_image_A
         << " A from its own image, which is within the cutoff of " << options.cutoff_A
         << " A; give a larger --padding or --cell unless this is intended (a membrane, a fibre)";
    warnings.push_back(text.str());
  }

  FilledCell filled = fill_with_water(solute, cell, model, box, options.fill);
  const FillCounts& counts = filled.counts;
  const double per_A3 = filled.waters.tiles.waters_per_A3();
  const double solute_volume_A3 =
      double(counts.overlapping + counts.among_tails + counts.in_cavities) / per_A3;
  const double water_volume_A3 = cell.volume_A3() - solute_volume_A3;
  const auto waters = double(filled.waters.size());
  if (filled.waters.size() == 0)
    warnings.push_back(structure.path + ": leaves no room for water in the cell; give a larger one");
  return {.solute = std::move(solute),
          .cell = {vectors, CellKind::simulation},
          .volume_A3 = cell.volume_A3(),
          .waters = std::move(filled.waters),
          .counts = counts,
          .rotation = rotation,
          .translation_A = translation_A,
          .own_image_A = own_image_A,
          .solute_volume_A3 = solute_volume_A3,
          .density_g_cm3 = water_volume_A3 > 0.0 ? waters * water_u * g_cm3_per_u_A3 / water_volume_A3 : 0.0,
          .made_whole = made_whole,
          .keeps_membrane = membrane_cell.has_value(),
          .warnings = std::move(warnings)};
}

}  // namespace ionwell
