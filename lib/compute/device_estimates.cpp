// SPDX-License-Identifier: BSD-3-Clause
#include "compute/device_estimates.hpp"

namespace ionwell {

EstimatesMaker device_estimates(const BackendChoice& choice, const PeriodicAction& action) {
  if (choice.owner == nullptr || choice.devices.empty() || action.images() == nullptr) return {};
  return
      [owner = choice.owner, device = choice.devices.front().number, &action](const EstimatedPoints& points) {
        return owner->point_estimates(device, action.pair(), action.images(), points);
      };
}

std::string describe_host_search(const std::string& note) {
  return "the CPU searched for the places of ions: " + note;
}

}  // namespace ionwell
