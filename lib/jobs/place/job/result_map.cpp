// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/result_map.hpp"

#include "jobs/place/job/report.hpp"

namespace ionwell {
namespace {

MapSource source_of(const Result& result, MapContents contents) {
  return {result.run, result.structure, result.potential, *result.field, describe_method(result), contents};
}

}  // namespace

ResultMap map_of(const Result& result, MapContents contents, MapUnit unit) {
  return map_of(source_of(result, contents), unit);
}

ResultMapToWrite map_to_write(const Result& result, MapContents contents, MapUnit unit) {
  return map_to_write(source_of(result, contents), unit);
}

}  // namespace ionwell
