// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/amber_writer.hpp"

#include "core/error.hpp"
#include "core/text/quoting.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t numbers_in_line = 6;

/// 6F12.7.
class NumberLines {
 public:
  /// `numbers` stand before.
  NumberLines(std::string& text, std::int64_t numbers) : text_(text), in_line_(numbers % numbers_in_line) {}

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
  std::int64_t in_line_;
};

std::string amber_head(const WrittenSystem& system) {
  const std::vector<std::string>& remarks = system.placed().remarks;
  std::string text = remarks.empty() ? "positions" : ascii_line(remarks.front()).substr(0, 80);
  append_number(text += '\n', system.atoms(), system.atoms() < 100'000 ? 5 : 6);
  return text += '\n';
}

void append_amber_atoms(std::string& text, const WrittenSystem&, const AtomPiece& piece) {
  NumberLines lines(text, 3 * piece.first);
  for (const Atom& atom : piece.atoms)
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (!lines.add(x_A) || !(x_A > -999.9999999 && x_A < 9999.9999999))
        fail(describe(atom), " is at ", x_A,
             " A, but an AMBER coordinate file has room for -999.9999999 to 9999.9999999; move the structure "
             "towards the origin");
}

std::string amber_tail(const WrittenSystem& system) {
  std::string text;
  NumberLines lines(text, 3 * system.atoms());
  lines.end();
  if (system.placed().cell) {
    const UnitCell& cell = *system.placed().cell;
    const Vec3<double> lengths = lengths_A(cell), angles = angles_deg(cell);
    for (const double x : {lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z}) lines.add(x);
    lines.end();
  }
  return text;
}

}  // namespace

TextFormat rst7_format() {
  return {amber_head, append_amber_atoms, amber_tail, 37};
}

std::string rst7_text(const PlacedSystem& system) {
  return text_of(system, rst7_format());
}

}  // namespace ionwell
