// SPDX-License-Identifier: BSD-3-Clause
#include "programs/apbs_files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

constexpr double coarse_factor = 1.7;  // of APBS's psize.py
constexpr double coarse_border_A =
    20.0;  // 2.5 Debye lengths at 0.15 M: on its faces the potential is a guess

struct Line {
  std::string key, value;
};

std::string three(const Vec3<double>& v) {
  char text[128];
  std::snprintf(text, sizeof text, "%.6f %.6f %.6f", v.x, v.y, v.z);
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

Line line_of(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos) return {lower_case(option), ""};
  return {lower_case(option.substr(0, equals)), option.substr(equals + 1)};
}

/// The numbers of a line's value; empty when there is anything else.
std::vector<double> numbers_of(std::string_view value) {
  std::vector<double> numbers;
  for (std::string_view word = take_token(value); !word.empty(); word = take_token(value)) {
    const auto number = parse_number(word);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// Charge^2 times concentration of "charge 1 conc 0.15 radius 2.0", or "1 0.15 2.0" as older files have it.
double ion_term_M(const std::string& option, std::string_view value) {
  std::optional<double> charge_e, concentration_M;
  if (const std::vector<double> numbers = numbers_of(value); numbers.size() == 3) {
    charge_e = numbers[0];
    concentration_M = numbers[1];
  }
  for (std::string_view word = take_token(value); !word.empty(); word = take_token(value)) {
    if (lower_case(word) == "charge") charge_e = parse_number(take_token(value));
    if (lower_case(word) == "conc") concentration_M = parse_number(take_token(value));
  }
  if (!charge_e || !concentration_M || !(*concentration_M >= 0.0))
    fail<UsageError>("--pb-option is '", option,
                     "'; write an ion of the salt like ion=charge 2 conc 0.05 radius 2.0");
  return *charge_e * *charge_e * *concentration_M;
}

std::optional<Vec3<double>> three_of(const std::string& value) {
  const std::vector<double> n = numbers_of(value);
  return n.size() == 3 ? std::optional(Vec3<double>{n[0], n[1], n[2]}) : std::nullopt;
}

bool is_equation(const std::string& key) {
  return key == "lpbe" || key == "npbe" || key == "lrpbe" || key == "nrpbe" || key == "smpbe";
}

/// Puts the user's lines in place of ours: an equation for the equation, the ions for both ions.
void apply(std::vector<Line>& lines, const std::vector<std::string>& options) {
  std::vector<std::string> replaced;
  for (const std::string& option : options) {
    const Line line = line_of(option);
    const auto same = [&](const Line& other) {
      return other.key == line.key || (is_equation(other.key) && is_equation(line.key));
    };
    if (std::find(replaced.begin(), replaced.end(), line.key) == replaced.end()) std::erase_if(lines, same);
    replaced.push_back(line.key);
    lines.push_back(line);
  }
}

/// Of `planes` over a length. A single plane has no length, and keeps the spacing `before`.
double spacing_of(char axis, double length_A, std::int64_t planes, double before_A) {
  if (planes > 1 && !(length_A > 0.0))
    fail<UsageError>("the lattice of the Poisson-Boltzmann equation has ", planes, " points along ", axis,
                     ", because its box has no length; give a larger --box or --border, or its lengths with "
                     "--pb-option fglen=...");
  if (planes == 1 && length_A > 0.0)
    fail<UsageError>("--pb-option fglen gives the lattice a length of ", length_A, " A along ", axis,
                     ", but only one plane of points; also give their number with --pb-option dime=..., or a "
                     "larger --box or --border");
  return planes > 1 ? length_A / double(planes - 1) : before_A;
}

}  // namespace

std::int64_t apbs_count(std::int64_t points) {
  constexpr std::int64_t step = 32;  // 2^(nlev + 1), at the usual four levels
  return std::max<std::int64_t>(1, (points - 1 + step - 1) / step) * step + 1;
}

ApbsCalculation apbs_calculation(const Box& box, const Box& solute, double largest_spacing_A) {
  ApbsCalculation calculation;
  const Vec3<double> length = box.highest_A - box.lowest_A, atoms = solute.highest_A - solute.lowest_A;
  const auto count = [&](double along_A) {
    constexpr double rounding = 1e-9;
    return apbs_count(1 + std::int64_t(std::ceil(along_A / largest_spacing_A - rounding)));
  };
  const Vec3<std::int64_t> n{count(length.x), count(length.y), count(length.z)};
  calculation.fine = {
      box.lowest_A, {length.x / double(n.x - 1), length.y / double(n.y - 1), length.z / double(n.z - 1)}, n};
  const auto coarse = [](double fine_A, double atoms_A) {
    return std::max(fine_A + 2 * coarse_border_A, coarse_factor * atoms_A);
  };
  calculation.coarse_A = {coarse(length.x, atoms.x), coarse(length.y, atoms.y), coarse(length.z, atoms.z)};
  return calculation;
}

void check_apbs_option(const std::string& option) {
  const Line line = line_of(option);
  if (line.key == "temp")
    fail<UsageError>("--pb-option is '", option,
                     "', but the energies of ions also need the temperature; use --temperature");
  if (line.key.empty() || line.key.find_first_of(" \t\n\r") != std::string::npos ||
      line.value.find_first_of("\n\r") != std::string::npos)
    fail<UsageError>("--pb-option is '", option,
                     "'; write it as KEY=VALUE, for example pdie=2, or KEY, for example npbe");
  for (const char* const ours :
       {"write", "mol", "read", "end", "quit", "elec", "mg-auto", "mg-manual", "mg-para"})
    if (line.key == ours)
      fail<UsageError>("--pb-option is '", option, "', but '", ours,
                       "' is set by ionwell, which has to find the map; leave it out");
}

SolutionOptions solution_of(const std::vector<std::string>& options) {
  SolutionOptions solution;
  for (const std::string& option : options) {
    const Line line = line_of(option);
    if (line.key == "ion")
      solution.ionic_strength_M =
          solution.ionic_strength_M.value_or(0.0) + 0.5 * ion_term_M(option, line.value);
    if (line.key == "sdie") solution.dielectric = parse_number(line.value);
  }
  return solution;
}

LatticeGeometry with_grid_options(LatticeGeometry fine, const std::vector<std::string>& options) {
  Vec3<double> length{fine.spacing_A.x * double(fine.counts.x - 1),
                      fine.spacing_A.y * double(fine.counts.y - 1),
                      fine.spacing_A.z * double(fine.counts.z - 1)};
  Vec3<double> centre = fine.origin_A + 0.5 * length;
  for (const std::string& option : options) {
    const Line line = line_of(option);
    const auto value = three_of(line.value);
    if (!value) continue;
    const auto count = [](double n) { return n > 1.0 && n < 1e6 ? apbs_count(std::int64_t(n)) : 0; };
    const Vec3<std::int64_t> counts{count(value->x), count(value->y), count(value->z)};
    if (line.key == "dime" && counts.x > 0 && counts.y > 0 && counts.z > 0) fine.counts = counts;
    if (line.key == "fglen" && value->x > 0.0 && value->y > 0.0 && value->z > 0.0) length = *value;
    if (line.key == "fgcent") centre = *value;
  }
  fine.spacing_A = {spacing_of('x', length.x, fine.counts.x, fine.spacing_A.x),
                    spacing_of('y', length.y, fine.counts.y, fine.spacing_A.y),
                    spacing_of('z', length.z, fine.counts.z, fine.spacing_A.z)};
  fine.origin_A = centre - 0.5 * length;
  return fine;
}

std::string apbs_input(const ApbsCalculation& calculation, const std::string& pqr, const std::string& stem) {
  const LatticeGeometry& fine = calculation.fine;
  const Vec3<double> length{fine.spacing_A.x * double(fine.counts.x - 1),
                            fine.spacing_A.y * double(fine.counts.y - 1),
                            fine.spacing_A.z * double(fine.counts.z - 1)};
  const std::string centre =
      three(fine.origin_A + 0.5 * length);  // numbers: a molecule's centre moves with each ion
  const std::string salt = " conc " + number(calculation.ionic_strength_M) + " radius 2.0";
  std::vector<Line> lines = {
      {"dime", std::to_string(fine.counts.x) + ' ' + std::to_string(fine.counts.y) + ' ' +
                   std::to_string(fine.counts.z)},
      {"cglen", three(calculation.coarse_A)},
      {"fglen", three(length)},
      {"cgcent", centre},
      {"fgcent", centre},
      {"mol", "1"},
      {"lpbe", ""},
      {"bcfl", "sdh"},
      {"pdie", number(calculation.solute_dielectric)},
      {"sdie", number(calculation.solvent_dielectric)},
      {"ion", "charge 1" + salt},
      {"ion", "charge -1" + salt},
      {"srfm", "smol"},
      {"chgm", "spl2"},
      {"sdens", "10"},
      {"srad", "1.4"},
      {"swin", "0.3"},
      {"temp", number(calculation.temperature_K)},
  };
  apply(lines, calculation.options);
  std::string text = "read\n  mol pqr " + pqr + "\nend\nelec\n  mg-auto\n";
  for (const Line& line : lines)
    text += "  " + line.key + (line.value.empty() ? "" : " " + line.value) + '\n';
  return text + "  write pot dxbin " + stem + "\nend\nquit\n";
}

std::string apbs_pqr(std::span<const Atom> atoms) {
  std::string text;
  bool any_radius = false;
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const Atom& atom = atoms[n];
    if (!(atom.radius_A >= 0.0 && std::isfinite(atom.radius_A)))
      fail("the radius of ", describe(atom), " is ", atom.radius_A,
           " A, but the Poisson-Boltzmann equation needs radii that are not negative; correct the PQR file");
    any_radius = any_radius || atom.radius_A > 0.0;
    char line[192];
    std::snprintf(line, sizeof line, "ATOM %zu X RES %zu %.4f %.4f %.4f %.6f %.4f\n", n + 1, n % 9999 + 1,
                  atom.position_A.x, atom.position_A.y, atom.position_A.z, atom.charge_e, atom.radius_A);
    text += line;
  }
  if (!any_radius)
    fail(
        "all radii in the structure are 0, so the Poisson-Boltzmann equation would have no solute; make a "
        "PQR file with radii, for example with pdb2pqr");
  return text;
}

std::int64_t apbs_bytes(const LatticeGeometry& lattice) {
  constexpr std::int64_t bytes_per_point = 477;
  return bytes_per_point * lattice.size();
}

double apbs_seconds(const LatticeGeometry& lattice) {
  constexpr double seconds_per_point = 13.7 / (129.0 * 129.0 * 161.0);
  return seconds_per_point * double(lattice.size());
}

}  // namespace ionwell
