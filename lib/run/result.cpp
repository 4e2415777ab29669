#include "run/result.hpp"

namespace ionwell {

void warn(Result& result, const RunObserver& observer, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    result.warnings.push_back(warning);
    if (observer.warning) observer.warning(warning);
  }
}

}  // namespace ionwell
