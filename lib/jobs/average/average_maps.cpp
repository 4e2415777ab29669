// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/average_maps.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "jobs/average/average_report.hpp"
#include "potential/potential_report.hpp"

namespace ionwell {
namespace {

constexpr std::array all_maps = {AverageMap::mean, AverageMap::deviation, AverageMap::error};

std::string quantity(AverageMap map, const AverageSummary& average) {
  switch (map) {
    case AverageMap::deviation:
      return "standard deviation of the potential over frames; ";
    case AverageMap::error:
      return "standard error of the mean potential, by " + count_of(average.blocks, "block") + " of frames; ";
    default:
      return {};
  }
}

}  // namespace

std::string_view to_string(AverageMap map) {
  constexpr std::string_view names[] = {"mean", "sd", "se"};
  return names[std::size_t(map)];
}

std::vector<AverageMap> parse_average_maps(std::string_view text) {
  std::vector<AverageMap> maps;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, comma - begin);
    const auto found = std::find_if(all_maps.begin(), all_maps.end(),
                                    [&](AverageMap map) { return to_string(map) == word; });
    if (found == all_maps.end())
      fail<UsageError>("--statistics has '", word,
                       "', which is not a map of an average; give mean, sd or se, separated by commas");
    if (std::find(maps.begin(), maps.end(), *found) == maps.end()) maps.push_back(*found);
    begin = comma + 1;
  }
  return maps;
}

std::optional<std::string> missing_because(const AverageResult& result, AverageMap map) {
  if (map == AverageMap::deviation && result.statistics.frames() < 2)
    return "a standard deviation needs two frames or more";
  if (map == AverageMap::error && result.statistics.blocks() < 2)
    return "a standard error needs two blocks of frames or more";
  return {};
}

std::string describe_average(const AverageSummary& average) {
  TextStream text;
  text << "mean over " << count_of(average.frames, "frame") << " of " << average.files.front().path;
  if (average.files.size() > 1) text << " and " << count_of(std::ssize(average.files) - 1, "more file");
  if (!average.fit.empty())
    text << ", fitted by " << average.fit << " to " << average.reference.value_or("the first frame");
  return text.str();
}

ResultMap average_map(const AverageResult& result, AverageMap map, MapUnit unit) {
  const PotentialRecord& potential = result.potential;
  const double temperature_K = potential.electrostatics.temperature_K;
  ResultMap made{
      {.lattice = potential.lattice,
       .unit = unit,
       .temperature_K = temperature_K,
       .provenance = {{"program", "ionwell " + std::string(version())},
                      {"command", result.run.command},
                      {"structure", result.preparation->structure().path},
                      {"method", quantity(map, result.summary) + std::string(solute_potential_by) +
                                     describe_electrostatics(potential.electrostatics) + "; " +
                                     describe_method(result) + "; " + describe_average(result.summary)}}},
      LargeArray<float>(std::size_t(potential.lattice.size()))};
  const double scale = volts(MapUnit::kT_e, temperature_K) / volts(unit, temperature_K);
  const std::span<float> values(made.values.data(), made.values.size());
  switch (map) {
    case AverageMap::mean:
      result.statistics.mean(values, scale);
      break;
    case AverageMap::deviation:
      result.statistics.deviation(values, scale);
      break;
    case AverageMap::error:
      result.statistics.error(values, scale);
      break;
  }
  return made;
}

}  // namespace ionwell
