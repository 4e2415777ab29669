#include "ionwell/compare_protocols.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <limits>
#include <sstream>

#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/version.hpp"
#include "programs/child_process.hpp"
#include "run/json_parts.hpp"
#include "run/pb_protocol.hpp"

namespace ionwell {
namespace {

const CompareOptions site_distances{.distances_A = {2.0, 3.0, 5.0, 8.0}};

Placement place_summed(const Structure& structure, const std::vector<IonRequest>& requests,
                       const ElectrostaticsOptions& electrostatics) {
  const PairPotential pair = pair_potential(electrostatics);
  const LatticeGeometry lattice = choose_lattice(structure, {});
  const FieldOptions options;
  const SolverOptions solver = choose_method({}, {}, lattice, structure, pair, options);
  require_memory(needed_bytes({}, lattice, structure, pair, solver, options), lattice.size());
  const ExclusionOptions exclusion;
  const auto field = make_cpu_field(lattice, pair, options);
  std::vector<Vec3<double>> centres;
  for (const Atom& atom : structure.atoms) centres.push_back(atom.position_A);
  field->exclude(centres, exclusion.ion_solute_A);
  add_potential(*field, point_charges(structure.atoms), solver, {});
  return place_ions(*field, structure, requests, exclusion, {});
}

Placement place_solved(const Structure& structure, const std::vector<IonRequest>& requests, int every,
                       Stages& stages) {
  PbProtocol protocol({.every = every}, structure, {}, {}, requests);
  const PairPotential pair = update_potential(update_electrostatics(with_hybrid_default({}), {}));
  Placement placement;
  protocol.place(
      requests, {}, std::numeric_limits<double>::infinity(),
      [&](const LatticeGeometry& lattice) { return make_cpu_field(lattice, pair, {}); }, 0, stages,
      placement);
  return placement;
}

double nearest_A(const Vec3<double>& point, std::span<const Vec3<double>> others) {
  double nearest_A2 = std::numeric_limits<double>::infinity();
  for (const Vec3<double>& other : others) nearest_A2 = std::min(nearest_A2, distance_squared(point, other));
  return std::sqrt(nearest_A2);
}

/// How far the ions of each protocol are from those of each other one.
void print_mean_distances(std::ostream& out, const std::vector<ProtocolResult>& results) {
  std::vector<const ProtocolResult*> placed;
  for (const ProtocolResult& result : results)
    if (!result.ions.empty()) placed.push_back(&result);
  if (placed.size() < 2) return;
  const auto column_of = [](const ProtocolResult& result) {
    constexpr std::size_t number = 7;
    return std::setw(int(2 + std::max(number, result.name.size())));
  };
  constexpr int names = 13;
  out << "\nmean distance [A] between the ions of two protocols\n" << std::setw(names) << "";
  for (const ProtocolResult* const other : placed) out << column_of(*other) << other->name;
  out << '\n';
  for (const ProtocolResult* const row : placed) {
    out << std::left << std::setw(names) << row->name << std::right;
    for (const ProtocolResult* const other : placed) {
      std::ostringstream distance;
      if (other == row)
        distance << '-';
      else
        distance << std::fixed << std::setprecision(2) << mean_distance_A(row->ions, other->ions);
      out << column_of(*other) << distance.str();
    }
    out << '\n';
  }
}

}  // namespace

double mean_distance_A(std::span<const Vec3<double>> a, std::span<const Vec3<double>> b) {
  double sum_A = 0.0;
  for (const Vec3<double>& ion : a) sum_A += nearest_A(ion, b);
  for (const Vec3<double>& ion : b) sum_A += nearest_A(ion, a);
  return sum_A / double(a.size() + b.size());
}

std::vector<ProtocolResult> run_protocols(const Structure& structure, const std::vector<IonRequest>& requests,
                                          std::span<const Vec3<double>> sites, Stages& stages) {
  struct Protocol {
    std::string name;
    bool is_solved;
    std::function<Placement()> place;
  };
  const std::vector<Protocol> protocols = {
      {"coulomb", false, [&] { return place_summed(structure, requests, {}); }},
      {"ddd", false, [&] { return place_summed(structure, requests, {.ddd_per_A = 3.0}); }},
      {"debye-hueckel", false, [&] { return place_summed(structure, requests, {.ionic_strength_M = 0.15}); }},
      {"hybrid", true, [&] { return place_solved(structure, requests, 5, stages); }},
      {"iterated", true, [&] { return place_solved(structure, requests, 1, stages); }},
  };
  const bool has_solver = !find_program(ApbsOptions{}.program).empty();
  std::vector<ProtocolResult> results;
  for (const Protocol& protocol : protocols) {
    ProtocolResult& result = results.emplace_back();
    result.name = protocol.name;
    if (protocol.is_solved && !has_solver) {
      result.not_run = "there is no apbs here (Debian and Ubuntu: package apbs)";
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    const Placement placement = protocol.place();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const PlacedIon& ion : placement.ions) result.ions.push_back(ion.position_A);
    if (!sites.empty()) result.sites = compare_sites(result.ions, sites, site_distances);
  }
  return results;
}

void print_protocols(std::ostream& out, const std::vector<ProtocolResult>& results) {
  const auto cell = [&](const char* format, auto... values) {
    char text[64];
    std::snprintf(text, sizeof text, format, values...);
    out << text;
  };
  const bool has_sites =
      std::any_of(results.begin(), results.end(), [](const auto& r) { return r.sites.has_value(); });
  if (has_sites) out << std::string(30, ' ') << "  sites with an ion of their own within\n";
  cell("%-14s %8s %6s", "protocol", "time [s]", "ions");
  if (has_sites)
    for (const double distance_A : site_distances.distances_A) cell("%5g A", distance_A);
  out << '\n';
  for (const ProtocolResult& row : results) {
    cell("%-14s ", row.name.c_str());
    if (!row.not_run.empty()) {
      out << "not run: " << row.not_run << '\n';
      continue;
    }
    cell("%8.2f %6s", row.seconds, grouped(std::ssize(row.ions)).c_str());
    if (row.sites)
      for (const SitesWithin& within : row.sites->within) cell("%7s", grouped(within.matched).c_str());
    out << '\n';
  }
  print_mean_distances(out, results);
}

std::string json_protocols(const Structure& structure, const std::vector<std::string>& warnings,
                           const std::vector<ProtocolResult>& results) {
  using Json = nlohmann::ordered_json;
  Json protocols = Json::array();
  for (const ProtocolResult& row : results) {
    Json json = {{"name", row.name}};
    if (!row.not_run.empty()) {
      json["not_run"] = row.not_run;
      protocols.push_back(json);
      continue;
    }
    json["seconds"] = row.seconds;
    json["positions_A"] = Json::array();
    for (const Vec3<double>& ion : row.ions) json["positions_A"].push_back({ion.x, ion.y, ion.z});
    Json distances = Json::object();
    for (const ProtocolResult& other : results)
      if (&other != &row && !row.ions.empty() && !other.ions.empty())
        distances[other.name] = mean_distance_A(row.ions, other.ions);
    json["mean_distance_A"] = distances;
    if (row.sites) {
      json["sites"] = row.sites->sites;
      json["within"] = Json::array();
      for (const SitesWithin& within : row.sites->within)
        json["within"].push_back({{"distance_A", within.distance_A}, {"matched", within.matched}});
    }
    protocols.push_back(json);
  }
  const Json json = {{"schema_version", 1},         {"version", version()},
                     {"structure", structure.path}, {"solute", structure_json(structure)},
                     {"protocols", protocols},      {"warnings", warnings}};
  return report_text(json);
}

}  // namespace ionwell
