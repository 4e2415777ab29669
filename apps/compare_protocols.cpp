#include "compare_protocols.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "child_process.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "memory.hpp"
#include "pb_protocol.hpp"
#include "placement/json_parts.hpp"

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
  PbArguments pb;
  pb.solver = PbSolver::apbs;
  pb.every = every;
  PbProtocol protocol(pb, structure, {}, {}, requests);
  Placement placement;
  protocol.place(requests, {}, std::numeric_limits<double>::infinity(),
                 update_potential(update_electrostatics(with_hybrid_default({}), {})), {}, {}, stages,
                 placement);
  return placement;
}

double nearest_A(const Vec3<double>& point, std::span<const Vec3<double>> others) {
  double nearest_A2 = std::numeric_limits<double>::infinity();
  for (const Vec3<double>& other : others) nearest_A2 = std::min(nearest_A2, distance_squared(point, other));
  return std::sqrt(nearest_A2);
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
  const bool has_solver = !find_program(PbArguments{}.program).empty();
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
  const auto cell = [&](const char* format, auto value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    out << text;
  };
  out << "protocol        time [s]   ions";
  if (std::any_of(results.begin(), results.end(), [](const auto& r) { return r.sites.has_value(); }))
    for (const double distance_A : site_distances.distances_A) cell("  sites in %g A", distance_A);
  out << "   mean distance [A] to the others, in this order\n";
  for (const ProtocolResult& row : results) {
    cell("%-15s", row.name.c_str());
    if (!row.not_run.empty()) {
      out << " not run: " << row.not_run << '\n';
      continue;
    }
    cell("%9.2f", row.seconds);
    cell("%7zu", row.ions.size());
    if (row.sites)
      for (const SitesWithin& within : row.sites->within)
        cell("%14lld", static_cast<long long>(within.matched));
    out << "  ";
    for (const ProtocolResult& other : results) {
      if (&other == &row || !other.not_run.empty() || row.ions.empty() || other.ions.empty())
        out << "      -";
      else
        cell("%7.2f", mean_distance_A(row.ions, other.ions));
    }
    out << '\n';
  }
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
