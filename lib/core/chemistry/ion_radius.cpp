#include "core/chemistry/ion_radius.hpp"

namespace ionwell {
namespace {

struct Entry {
  std::string_view element;
  double charge_e, radius_A;
};

constexpr Entry table[] = {
    {"LI", 1, 0.76},  {"NA", 1, 1.02}, {"K", 1, 1.38},   {"RB", 1, 1.52},  {"CS", 1, 1.67}, {"MG", 2, 0.72},
    {"CA", 2, 1.00},  {"SR", 2, 1.18}, {"BA", 2, 1.35},  {"ZN", 2, 0.74},  {"CD", 2, 0.95}, {"MN", 2, 0.83},
    {"CO", 2, 0.745}, {"F", -1, 1.33}, {"CL", -1, 1.81}, {"BR", -1, 1.96}, {"I", -1, 2.20},
};

}  // namespace

std::optional<double> ionic_radius_A(std::string_view element, double charge_e) {
  for (const Entry& entry : table)
    if (entry.element == element && entry.charge_e == charge_e) return entry.radius_A;
  return std::nullopt;
}

}  // namespace ionwell
