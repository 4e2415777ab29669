// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "jobs/place/job/result_map.hpp"
#include "jobs/place/run.hpp"
#include "jobs/place/stepwise_run.hpp"
#include "support/backends.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// A bent row of charges.
Structure stepwise_solute() {
  Structure structure{.path = "solute.pqr"};
  for (int i = 0; i < 12; ++i)
    structure.atoms.push_back({.position_A = {1.3 * i, 0.2 * i * i, -0.4 * i},
                               .charge_e = i % 3 == 0 ? 0.5 : -1.0,
                               .radius_A = 1.5,
                               .name = "P"});
  return structure;
}

IonRequest stepwise_ions(const char* name, double charge_e, std::int64_t count) {
  return {{name, name, charge_e}, count};
}

}  // namespace

TEST_CASE("placement: a run in steps places the ions of one run, whatever is looked at between them") {
  const Structure structure = stepwise_solute();
  const std::vector<IonRequest> ions = {stepwise_ions("MG", 2.0, 3), stepwise_ions("CL", -1.0, 2),
                                        stepwise_ions("NA", 1.0, 4)};
  for (const Method method : {Method::direct, Method::multilevel})
    for (const bool every_point : {false, true}) {
      CAPTURE(int(method));
      CAPTURE(every_point);
      Job job{.structure = structure,
              .ions = ions,
              .source = SummationOptions{.method = method},
              .lattice = {.spacing_A = 1.0},
              .backend = {.backend = testing_gpu() ? Backend::gpu : Backend::cpu},
              .field = {.every_point = every_point, .threads = 2}};
      const Backends backends = {&gpu_backend()};
      const Result whole = run(job, backends);
      REQUIRE(whole.placement.ions.size() == 9);

      Job in_steps = job;
      in_steps.ions.clear();
      in_steps.ions_follow = true;
      Stages stages;
      StepwiseRun steps(in_steps, stages, backends);
      CHECK(steps.result().placement.ions.empty());
      CHECK(steps.result().refined);
      for (const IonRequest& request : ions) {
        CHECK(steps.place({request}) == request.count);
        if (every_point) map_of(steps.result(), MapContents::solute_and_ions);
      }
      const Result& result = steps.result();
      REQUIRE(result.placement.ions.size() == whole.placement.ions.size());
      CHECK(result.placement.requested == 9);
      CHECK(result.exclusion->ion_ion_A == job.exclusion.ion_ion_A);
      for (std::size_t i = 0; i < whole.placement.ions.size(); ++i) {
        const PlacedIon &found = result.placement.ions[i], &expected = whole.placement.ions[i];
        CHECK(found.lattice_index == expected.lattice_index);
        CHECK(found.energy_kT == doctest::Approx(expected.energy_kT).epsilon(1e-12));  // sums in fp64
        CHECK(found.nearest_ion_A == expected.nearest_ion_A);
        CHECK(found.nearest_solute_A == expected.nearest_solute_A);
      }
    }
}

TEST_CASE("a run in steps: ions that found room stay when others did not") {
  const Structure structure = stepwise_solute();
  const Job job{.structure = structure,
                .ions_follow = true,
                .lattice = {.spacing_A = 2.0},
                .exclusion = {.ion_solute_A = 5.0, .ion_ion_A = 20.0}};
  Stages stages;
  StepwiseRun steps(job, stages);
  const std::int64_t placed = steps.place({stepwise_ions("MG", 2.0, 50)});
  CHECK(placed > 0);
  CHECK(placed < 50);
  CHECK(steps.place({stepwise_ions("NA", 1.0, 1)}) == 0);
  CHECK(std::ssize(steps.result().placement.ions) == placed);
  CHECK(steps.result().placement.requested == 51);
}

TEST_CASE("a run in steps: what cannot be placed in steps is refused") {
  const Structure structure = stepwise_solute();
  const Job job{.structure = structure, .ions_follow = true, .lattice = {.spacing_A = 2.0}};
  const auto error = [&](const auto& change) {
    Job changed = job;
    change(changed);
    return error_of([&] {
      Stages stages;
      StepwiseRun steps(changed, stages);
    });
  };
  CHECK(error([](Job&) {}) == "no error");
  CHECK(error([](Job& j) { j.ions_follow = false; }).find("ions_follow") != std::string::npos);
  CHECK(error([](Job& j) { j.ions = {stepwise_ions("MG", 2.0, 1)}; }).find("none before the first step") !=
        std::string::npos);
  CHECK(error([](Job& j) { j.source = PbOptions{}; }).find("in steps only in") != std::string::npos);
  CHECK(error([](Job& j) { j.exclusion.ion_ion_A = -1.0; }).find("--ion-ion") != std::string::npos);
  CHECK(error_of([&] {
          Stages stages;
          StepwiseRun(job, stages).place({stepwise_ions("MG", 2.0, -1)});
        }).find("must not be negative") != std::string::npos);
}
