// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/average_identity.hpp"

#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "jobs/average/average_report.hpp"
#include "potential/potential_report.hpp"

namespace ionwell {
namespace {

template <typename... Parts>
std::string text_of(const Parts&... parts) {
  TextStream text;
  text.precision(17);
  (text << ... << parts);
  return text.str();
}

}  // namespace

AverageIdentity identity_of(const AverageJob& job, const AverageResult& result) {
  const AverageSummary& summary = result.summary;
  std::int64_t all_frames = 0;
  for (const TrajectoryPart& part : summary.files) all_frames += part.frames;
  const LatticeGeometry& lattice = result.potential.lattice;
  const auto axes = [](const auto& v) { return text_of(v.x, ' ', v.y, ' ', v.z); };
  return {{"version", std::string(version())},
          {"trajectory", text_of(all_frames, " frames in ", summary.files.size(), " files")},
          {"chosen frames", text_of(summary.chosen, " from ", summary.first, ", every ", summary.every)},
          {"frames summed together", text_of(summary.frames_at_once)},
          {"fingerprint of the atoms and of the first and last positions", result.preparation->fingerprint()},
          {"fit", summary.fit.empty() ? "none" : summary.fit},
          {"lattice", axes(lattice.counts) + " points, " + axes(lattice.spacing_A) + " A apart, from " +
                          axes(lattice.origin_A)},
          {"electrostatics", describe_electrostatics(result.potential.electrostatics)},
          {"method", describe_method(result)},
          {"images", job.frames.keeps_images ? "kept" : "whole"},
          {"bad frames", job.frames.skips_bad ? "skipped" : "refused"},
          {"statistics", text_of("mean", job.statistics.deviation ? ",sd" : "",
                                 job.statistics.error ? text_of(",se by ", job.blocks, " blocks") : "")}};
}

}  // namespace ionwell
