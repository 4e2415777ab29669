// SPDX-License-Identifier: BSD-3-Clause
#include "compute/summation_options.hpp"

namespace ionwell {

std::string_view to_string(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::direct:
      return "direct";
    case Method::multilevel:
      return "msm";
  }
  return "unknown";
}

}  // namespace ionwell
