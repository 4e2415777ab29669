#include "structures/writers/amber_writer.hpp"

#include "core/error.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr int numbers_in_line = 6;

/// 6F12.7.
class NumberLines {
 public:
  explicit NumberLines(std::string& text) : text_(text) {}

  bool add(double number) {
    const bool fits = append_fixed(text_, number, {12, 7});
    if (++in_line_ % numbers_in_line == 0) text_ += '\n';
    return fits;
  }
  void end() {
    if (in_line_ % numbers_in_line != 0) text_ += '\n';
    in_line_ = 0;
  }

 private:
  std::string& text_;
  int in_line_ = 0;
};

}  // namespace

std::string rst7_text(const PlacedSystem& system) {
  const std::vector<Atom> atoms = written_atoms(system);
  std::string text = system.remarks.empty() ? "positions" : system.remarks.front().substr(0, 80);
  text.reserve(37 * (atoms.size() + 4) + text.size());
  text += '\n';
  append_number(text, std::int64_t(atoms.size()), atoms.size() < 100'000 ? 5 : 6);
  text += '\n';
  NumberLines lines(text);
  for (const Atom& atom : atoms)
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (!lines.add(x_A) || !(x_A > -999.9999999 && x_A < 9999.9999999))
        fail(
            describe(atom), " is at ", x_A,
            " A, and an AMBER coordinate file holds -999.9999999 to 9999.9999999; move the structure towards "
            "the origin");
  lines.end();
  if (system.cell) {
    const auto& [lengths, angles] = *system.cell;
    for (const double x : {lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z}) lines.add(x);
    lines.end();
  }
  return text;
}

}  // namespace ionwell
