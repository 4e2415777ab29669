// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compute/hand_over.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// As much of a job as is handed over.
struct SmallJob {
  BackendOptions backend;
  std::vector<std::string> warnings;
};

DeviceFailure failure_of(int device) {
  return {"GPU " + std::to_string(device) + " is out of memory", "use --backend cpu", device};
}

}  // namespace

TEST_CASE("hand-over: the devices that are left go on one after the other, and then the CPU") {
  const SmallJob job{{.backend = Backend::gpu, .devices = {0, 2, 5}, .memory_bytes = 7}, {"told before"}};
  std::vector<std::vector<int>> tried;
  const SmallJob last = handing_over(job, [&](const SmallJob& now) {
    tried.push_back(now.backend.devices);
    if (now.backend.backend == Backend::cpu) return now;
    throw failure_of(now.backend.devices.size() == 3 ? 2 : now.backend.devices.front());
  });
  CHECK(tried == std::vector<std::vector<int>>{{0, 2, 5}, {0, 5}, {5}, {}});
  CHECK(last.backend.memory_bytes == 0);
  CHECK(last.warnings == std::vector<std::string>{"told before",
                                                  "GPU 2 is out of memory; its work continues on GPUs 0,5",
                                                  "GPU 0 is out of memory; its work continues on GPU 5",
                                                  "GPU 5 is out of memory; its work continues on the CPU"});
  CHECK(job.warnings.size() == 1);
}

TEST_CASE("hand-over: a device that nobody named goes to the CPU, and other errors go to the caller") {
  const SmallJob job{{.backend = Backend::automatic, .devices = {}, .memory_bytes = 0}, {}};
  int calls = 0;
  const Backend end = handing_over(job, [&](const SmallJob& now) {
    if (++calls == 1) throw failure_of(0);
    return now.backend.backend;
  });
  CHECK(end == Backend::cpu);
  CHECK(calls == 2);
  CHECK(error_of([&] { handing_over(job, [](const SmallJob&) -> int { fail("no such file"); }); }) ==
        "no such file");
  CHECK(std::string(failure_of(3).what()) == "GPU 3 is out of memory; use --backend cpu");
}
