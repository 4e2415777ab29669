// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "files/output_file.hpp"
#include "jobs/place/job/result_map.hpp"
#include "jobs/place/run.hpp"
#include "maps/map_file.hpp"
#include "support/map_samples.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

Structure solute() {
  Structure structure{.path = "solute.pqr"};
  for (int i = 0; i < 40; ++i)
    structure.atoms.push_back({.position_A = {1.1 * (i % 7), 0.3 * i, -0.7 * i},
                               .charge_e = i % 3 == 0 ? 0.5 : -1.0,
                               .radius_A = 1.5,
                               .name = "P"});
  return structure;
}

/// A map of each format, in two units, as written of the field of a run: see comparable_bytes.
std::vector<std::string> files_of(const Result& result, bool has_all) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (const Format& format : formats())
    for (const MapUnit unit : {MapUnit::kT_e, MapUnit::mV}) {
      ResultMapToWrite map = map_to_write(result, MapContents::solute, unit);
      CHECK((map.elsewhere == nullptr) == has_all);
      CHECK(std::int64_t(map.here.size()) == (has_all ? result.potential.lattice.size() : 0));
      for (auto& [key, value] : map.provenance)
        if (key == "method") value = "a sum";  // which says how many ranks had it
      const std::string name = folder / ("map" + format.ending);
      OutputFile file(name);
      write_map(file, map, map.all(), 1, {});
      file.commit();
      files.push_back(comparable_bytes(name));
    }
  return files;
}

}  // namespace

TEST_CASE("ranks: a map is written part by part, with the bytes of one process") {
  const Structure structure = solute();
  // A rank's share is small enough that a method of its own choice would be another one.
  Job job{.structure = structure,
          .source = SummationOptions{.method = Method::multilevel},
          .lattice = {.spacing_A = 0.8, .border_A = 7.0}};
  job.backend.backend = Backend::cpu;
  job.field = {.every_point = true, .threads = 1};
  const std::vector<std::string> alone = files_of(run(job), true);
  for (const int ranks : {2, 3, 4, 8}) {
    CAPTURE(ranks);
    ThreadRanks(ranks).run([&](RankGroup& group) {
      const Result result = run(job, {{}, &group});
      CHECK(result.run.ranks == ranks);
      const std::int64_t received = group.traffic.received.bytes;
      CHECK(files_of(result, false) == alone);
      CHECK(group.traffic.received.bytes > received);
      result.field->values();  // all of them, once no file is under way
      CHECK(files_of(result, false) == alone);
    });
  }
}
