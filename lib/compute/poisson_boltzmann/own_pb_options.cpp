// SPDX-License-Identifier: BSD-3-Clause
#include "compute/poisson_boltzmann/own_pb_options.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compute/ion_update.hpp"
#include "core/error.hpp"
#include "core/lattice_extents.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"
#include "core/text/text_stream.hpp"
#include "electrostatics/poisson_boltzmann/model/apbs_words.hpp"
#include "programs/apbs_files.hpp"

namespace ionwell {
namespace {

// In spacings of the lattice, and in A: a finer lattice gains nothing from values that are finer so far out.
constexpr double outer_spacing = 2.0, finest_outer_A = 2.0;

/// What words say of the equation and of its outer lattice.
struct OtherWords {
  PbSolverOptions solver;
  std::optional<Vec3<double>> outer_A, outer_centre_A;
};

Vec3<double> three_numbers(const std::string& word, std::string_view value, double least) {
  double n[3];
  for (double& number : n) {
    const auto read = parse_number(take_token(value));
    if (!read || !(*read >= least))
      fail<UsageError>("--pb-option is '", word, "'; write three numbers, for example fglen=100 100 120");
    number = *read;
  }
  if (!take_token(value).empty())
    fail<UsageError>("--pb-option is '", word, "'; write three numbers, for example fglen=100 100 120");
  return {n[0], n[1], n[2]};
}

OtherWords read_others(const std::vector<std::string>& words) {
  OtherWords result;
  for (const std::string& word : words) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string key = lower_case(word.substr(0, equals));
    const std::string_view value = std::string_view(word).substr(std::min(equals + 1, word.size()));
    if (key == "lpbe" || key == "npbe") {
      result.solver.equation = key == "npbe" ? PbEquation::nonlinear : PbEquation::linear;
    } else if (key == "etol") {
      const auto tolerance = parse_number(value);
      if (!tolerance || !(*tolerance > 0.0 && *tolerance < 1.0))
        fail<UsageError>("--pb-option is '", word,
                         "'; write a number between 0 and 1, for example etol=1e-6");
      result.solver.tolerance = *tolerance;
    } else if (key == "dime") {
      three_numbers(word, value, 2.0);  // these three are with_grid_options's to use
    } else if (key == "fglen") {
      three_numbers(word, value, 1e-3);
    } else if (key == "fgcent") {
      three_numbers(word, value, -1e9);
    } else if (key == "cglen") {
      result.outer_A = three_numbers(word, value, 1e-3);
    } else if (key == "cgcent") {
      result.outer_centre_A = three_numbers(word, value, -1e9);
    } else {
      fail<UsageError>("--pb-option is '", word,
                       "', which only APBS uses; leave it out, or solve with it: place --pb apbs");
    }
  }
  return result;
}

ApbsWords read_words(const PbModelOptions& model, const std::vector<std::string>& words) {
  ApbsWords read = with_apbs_words(model, words);
  if (read.model.boundary == BoundaryKind::focused)
    fail<UsageError>(
        "--pb-option is 'bcfl=focus', but there is no larger lattice to give the outer lattice its boundary "
        "values (the lattice of the ions always gets its boundary from the outer one); write zero, sdh or "
        "mdh");
  validate(read.model);
  return read;
}

Vec3<double> lengths_of(const LatticeGeometry& lattice) {
  return {lattice.spacing_A.x * double(lattice.counts.x - 1),
          lattice.spacing_A.y * double(lattice.counts.y - 1),
          lattice.spacing_A.z * double(lattice.counts.z - 1)};
}

/// At least as long as is asked for, and a spacing longer than the lattice on every side.
LatticeGeometry outer_lattice(const LatticeGeometry& lattice, const Vec3<double>& lengths_A,
                              const std::optional<Vec3<double>>& centre_A) {
  const Vec3<double> inner_A = lengths_of(lattice), inner_centre_A = lattice.origin_A + 0.5 * inner_A,
                     centre = centre_A.value_or(inner_centre_A), away_A = centre - inner_centre_A;
  const Vec3<double>& h = lattice.spacing_A;
  const Vec3<double> spacing_A = std::max(outer_spacing, finest_outer_A / std::max({h.x, h.y, h.z})) * h;
  const auto count = [](double length_A, double inside_A, double from_centre_A, double h_A) {
    const double least_A = inside_A + 2.0 * (h_A + std::abs(from_centre_A));
    return 1 + std::int64_t(std::ceil(std::max(length_A, least_A) / h_A));
  };
  LatticeGeometry outer{{},
                        spacing_A,
                        {count(lengths_A.x, inner_A.x, away_A.x, spacing_A.x),
                         count(lengths_A.y, inner_A.y, away_A.y, spacing_A.y),
                         count(lengths_A.z, inner_A.z, away_A.z, spacing_A.z)}};
  outer.origin_A = centre - 0.5 * lengths_of(outer);
  return outer;
}

/// Values of the outer lattice are all that a lattice without inner points gets.
void note_thin_lattice(OwnPbCalculation* calculation) {
  const Vec3<std::int64_t>& n = calculation->lattice.counts;
  if (std::min({n.x, n.y, n.z}) > 2) return;
  const Vec3<double>& h = calculation->outer.spacing_A;
  TextStream text;
  text << "the lattice of " << n.x << " x " << n.y << " x " << n.z
       << " points has no points between its faces, so the equation is solved only on the lattice around it, "
          "with "
       << std::max({h.x, h.y, h.z})
       << " A between points, and the potential is interpolated; make the lattice three points or more along "
          "each axis (--box, --border) for a finer solution";
  calculation->notes.push_back(note(text.str()));
}

}  // namespace

OwnPbCalculation own_pb_calculation(const Structure& structure, const LatticeRequest& request,
                                    const ElectrostaticsOptions& solution,
                                    const std::vector<std::string>& words) {
  LatticeRequest asked = request;
  if (!asked.spacing_A) asked.spacing_A = published_pb_spacing_A;
  if (!asked.border_A && !asked.box) asked.border_A = published_pb_border_A;
  OwnPbCalculation calculation;
  calculation.lattice = with_grid_options(choose_lattice(structure, asked), words);
  PbModelOptions model{.temperature_K = solution.temperature_K};
  const double strength_M = solution.ionic_strength_M.value_or(usual_ionic_strength_M);
  model.ions = {{1.0, strength_M}, {-1.0, strength_M}};
  ApbsWords read = read_words(model, words);
  const OtherWords others = read_others(read.others);
  calculation.model = read.model;
  calculation.solver = others.solver;
  calculation.notes = read.notes;
  const Box box = extents(calculation.lattice);
  const Vec3<double> usual_A =
      apbs_calculation(box, bounding_box(structure.atoms), calculation.lattice.spacing_A.x).coarse_A;
  calculation.outer =
      outer_lattice(calculation.lattice, others.outer_A.value_or(usual_A), others.outer_centre_A);
  note_thin_lattice(&calculation);
  return calculation;
}

void check_own_pb_words(const std::vector<std::string>& words) {
  read_others(read_words({}, words).others);
}

}  // namespace ionwell
