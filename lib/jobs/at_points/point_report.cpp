// SPDX-License-Identifier: BSD-3-Clause
#include "compute/json_parts.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "jobs/at_points/potential_at_points.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

Json electrostatics_of_points(const PointResult& result) {
  const ElectrostaticsOptions& options = result.electrostatics;
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"model", result.model},
          {"temperature_K", options.temperature_K},
          {"dielectric", number(options.dielectric)},
          {"ddd_per_A", number(options.ddd_per_A)},
          {"ionic_strength_M", number(options.ionic_strength_M)},
          {"alpb_size_A", number(result.alpb_size_A)}};
}

Json sum_json(const PointSum& sum) {
  Json json = {{"method", std::string(to_string(sum.method))}};
  if (sum.partition)
    json["hcp"] = {
        {"residue_A", sum.partition->residue_A},
        {"chain_A", sum.partition->chain_A},
        {"complex_A", sum.partition->complex_A > 0.0 ? Json(sum.partition->complex_A) : Json(nullptr)},
        {"charges", sum.partition->charges}};
  if (sum.multilevel)
    json["multilevel"] = {{"basis", std::string(to_string(sum.multilevel->basis))},
                          {"cutoff_A", sum.multilevel->cutoff_A},
                          {"spacing_A", sum.multilevel->spacing_A}};
  json["error"] = sum.error ? Json{{"samples", sum.error->samples},
                                   {"rms", sum.error->rms},
                                   {"largest", sum.error->largest},
                                   {"potential_rms_kT_e", sum.error->potential_rms_kT_e}}
                            : Json(nullptr);
  return json;
}

/// Of the surface itself, and of the triangles that stand for it.
Json surface_json(const SurfaceMeasure& surface, const SurfaceMeasure& triangles) {
  const auto measure = [](const SurfaceMeasure& of) {
    return Json{{"area_A2", of.area_A2}, {"volume_A3", of.volume_A3}};
  };
  Json json = measure(surface);
  json["of_triangles"] = measure(triangles);
  return json;
}

Json statistics_of_points(const PointStatistics& statistics) {
  Json histogram = Json::array(), patches = Json::array();
  for (const HistogramBin& bin : statistics.histogram)
    histogram.push_back({{"from_kT_e", bin.from_kT_e}, {"to_kT_e", bin.to_kT_e}, {"share", bin.share}});
  for (const LowPatch& patch : statistics.patches)
    patches.push_back({{"point", patch.lowest_point},
                       {"lowest_kT_e", patch.lowest_kT_e},
                       {"mean_kT_e", patch.mean_kT_e},
                       {"area_A2", patch.area_A2},
                       {"centre_A", vector_json(patch.centre_A)},
                       {"nearest_atom", patch.nearest_atom}});
  return {{"points_with_value", statistics.valued},
          {"lowest_kT_e", statistics.lowest_kT_e},
          {"highest_kT_e", statistics.highest_kT_e},
          {"mean_kT_e", statistics.mean_kT_e},
          {"deviation_kT_e", statistics.deviation_kT_e},
          {"area_A2", statistics.area_A2},
          {"histogram", histogram},
          {"lowest_patches", patches}};
}

}  // namespace

std::string describe_method(const PointResult& result) {
  TextStream text;
  if (result.interpolation) {
    text << (*result.interpolation == MapInterpolation::tricubic ? "tricubic" : "trilinear")
         << (result.solver ? " interpolation of the solution" : " interpolation of the maps");
    return text.str();
  }
  const PointSum& sum = *result.sum;
  if (sum.method == PointMethod::hcp) {
    text << "charge partitioning (HCP, residues from " << sum.partition->residue_A << " A, chains from "
         << sum.partition->chain_A << " A";
    if (sum.partition->complex_A > 0.0) text << ", all from " << sum.partition->complex_A << " A";
    text << ", " << (sum.partition->charges == 1 ? "one charge" : "two charges") << " each)";
  } else if (sum.method == PointMethod::multilevel) {
    text << "multilevel sum (" << to_string(sum.multilevel->basis) << ", cutoff " << sum.multilevel->cutoff_A
         << " A, grid " << sum.multilevel->spacing_A << " A)";
  } else {
    text << (sum.is_exact ? "direct sum in double precision" : "direct sum, terms in single precision");
  }
  return text.str();
}

std::string json_report(const PointResult& result) {
  Json json = report_head(result.run);
  json.update({{"structure", structure_json(result.structure)},
               {"points",
                {{"path", result.points.path},
                 {"format", std::string(to_string(result.points.format))},
                 {"points", result.points.positions_A.size()},
                 {"triangles", result.points.triangles.size()},
                 {"inside_atoms", result.inside_atoms}}},
               {"electrostatics", electrostatics_of_points(result)},
               {"method", describe_method(result)}});
  add_run(json, result.run);
  if (result.surface) json["surface"] = surface_json(*result.surface, measure_of_triangles(result.points));
  if (result.sum) json["sum"] = sum_json(*result.sum);
  if (!result.maps.empty()) json["maps"] = result.maps;
  if (result.lattice) json["lattice"] = lattice_json(*result.lattice);
  if (result.solver && result.solver->convergence)
    json["pb"] = {{"iterations", result.solver->convergence->iterations},
                  {"residual", result.solver->convergence->residual},
                  {"seconds", result.solver->convergence->seconds}};
  json["potential"] = statistics_of_points(result.statistics);
  add_messages(json, result.run.warnings);
  return report_text(json);
}

}  // namespace ionwell
