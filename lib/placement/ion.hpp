#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ionwell {

/// A kind of ion: what the user called it and what the ion table knows of it.
struct IonSpecies {
  std::string name;     // as given: MG, NA, XYZ
  std::string element;  // "MG"; empty for a name that the table does not know
  double charge_e = 0.0;
};

struct IonRequest {
  IonSpecies species;
  std::int64_t count = 0;
};

}  // namespace ionwell
