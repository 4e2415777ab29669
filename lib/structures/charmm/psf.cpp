// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/psf.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/chemistry/atomic_mass.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"
#include "core/text/residue_id.hpp"
#include "structures/charmm/label_columns.hpp"
#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

constexpr std::string_view record =
    "an atom of a PSF has number, segment, residue number, residue name, atom name, type, charge and mass";
constexpr std::string_view way_out = "write the PSF again";

/// The count before !NATOM in a line that has it.
std::optional<std::string_view> count_of_atoms(std::string_view line) {
  const std::string_view count = take_token(line);
  return take_token(line).starts_with("!NATOM") ? std::optional(count) : std::nullopt;
}

/// Number, segment, residue number, residue and name; and the rest of the line.
struct Names {
  std::string_view number, segment, residue_id, residue, name, rest;
};

std::optional<Names> names_in_columns(std::string_view line, std::size_t number_width,
                                      std::size_t name_width) {
  std::array<std::string_view, 4> names;
  const std::size_t end = number_width + names.size() * (1 + name_width);
  if (line.size() <= end || line[end] != ' ') return {};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!read_label(line, {number_width + i * (1 + name_width), 1 + name_width}, names[i])) return {};
  const std::string_view number = trim(line.substr(0, number_width));
  if (!is_atom_number(number)) return {};
  return Names{number, names[0], names[1], names[2], names[3], line.substr(end)};
}

/// A PSF from its first line to its last atom.
class PsfReader {
 public:
  PsfReader(std::string_view text, const std::string& path) : text_(text), path_(path), lines_(text) {}

  Topology read() {
    const std::int64_t count = find_atoms();
    constexpr std::int64_t shortest_line = 16;  // eight fields of one character
    topology_.atoms.reserve(std::size_t(std::min(count, std::ssize(text_) / shortest_line + 1)));
    const std::int64_t announced_in = lines_.number();
    std::string_view line;
    for (std::int64_t i = 0; i < count; ++i) {
      if (!lines_.next(line))
        fail(path_, ": ends after ", grouped(i), " of the ", count_of(count, "atom"), " that line ",
             announced_in, " announces; copy it again");
      if (trim(line).empty())
        fail(path_, ':', lines_.number(), ": the atoms end after ", grouped(i), ", and line ", announced_in,
             " announces ", grouped(count), "; ", way_out);
      if (!lines_.line_is_ended())
        fail(
            path_, ':', lines_.number(),
            ": the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
      topology_.atoms.push_back(read_atom(line));
    }
    const bool goes_on = lines_.next(line);
    if (goes_on && !trim(line).empty() && line.find('!') == line.npos)
      fail(path_, ':', lines_.number(), ": there are more atoms than the ", grouped(count), " that line ",
           announced_in, " announces; ", way_out);
    if (unnumbered_ > 0)
      topology_.warnings.push_back(note(path_ + ':' + std::to_string(first_unnumbered_) +
                                        ": the residue number is not a number; 0 was used (" +
                                        count_of(unnumbered_, "atom") + ')'));
    if (goes_on) read_links(line);
    return std::move(topology_);
  }

  /// All, once it was read.
  const std::vector<AtomLink>& bonds() const { return bonds_; }

 private:
  /// Goes to the line before the first atom; how many it announces.
  std::int64_t find_atoms() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::optional<std::string_view> count = count_of_atoms(line);
      if (!count) continue;
      const std::optional<std::int64_t> atoms = parse_integer<std::int64_t>(*count);
      if (!atoms || *atoms < 0)
        fail(path_, ':', lines_.number(), ": ", quote(*count), " is not a number of atoms; ", way_out);
      if (*atoms == 0) fail(path_, ':', lines_.number(), ": has no atoms; make a PSF that has atoms");
      return *atoms;
    }
    fail(path_, ": has no atoms (no line has a number and !NATOM); is it a complete PSF?");
  }

  /// From the section of bonds, which begins at `line` or behind it: pairs of atoms' numbers. A file that is
  /// cut there has fewer.
  void read_links(std::string_view line) {
    const std::size_t atoms = topology_.atoms.size();
    while (line.find("!NBOND") == line.npos)
      if (!lines_.next(line)) return;
    std::optional<std::uint32_t> first;
    while (lines_.next(line) && line.find('!') == line.npos) {
      for (std::string_view token = take_token(line); !token.empty(); token = take_token(line)) {
        const std::optional<std::int64_t> number = parse_integer<std::int64_t>(token);
        if (!number || *number < 1 || std::size_t(*number) > atoms) return bonds_.clear();
        const auto atom = std::uint32_t(*number - 1);
        if (first) bonds_.push_back({*first, atom});
        first = first ? std::nullopt : std::optional(atom);
      }
    }
    topology_.links = links_between_residues(topology_.atoms, bonds_);
  }

  Names read_names(std::string_view line) const {
    constexpr std::size_t number_width = 8, name_width = 4, ext_number_width = 10, ext_name_width = 8;
    if (const auto names = names_in_columns(line, ext_number_width, ext_name_width)) return *names;
    if (const auto names = names_in_columns(line, number_width, name_width)) return *names;
    Names names;
    for (std::string_view* part :
         {&names.number, &names.segment, &names.residue_id, &names.residue, &names.name})
      *part = take_token(line);
    names.rest = line;
    return names;
  }

  double read_number(std::string_view token, std::string_view what, double largest,
                     std::string_view unit) const {
    return NumberInLine{path_, lines_.number(), what, record, way_out, largest, unit}.read(token);
  }

  Atom read_atom(std::string_view line) {
    Names names = read_names(line);
    take_token(names.rest);  // the type
    const std::string_view charge = take_token(names.rest), mass = take_token(names.rest);
    if (mass.empty())
      fail(path_, ':', lines_.number(), ": the line ", quote(line), " ends before it has all of its fields (",
           record, "); ", way_out);
    if (!is_atom_number(names.number))
      fail(path_, ':', lines_.number(), ": atom number ", quote(names.number), " is not a whole number (",
           record, "); ", way_out);
    Atom atom;
    atom.segment = names.segment;
    atom.residue = names.residue;
    atom.name = names.name;
    atom.charge_e = read_number(charge, "charge", largest_charge_e, " e");
    constexpr double largest_mass_u = 1e6;  // coarse grains too
    atom.element = element_of_mass(read_number(mass, "mass", largest_mass_u, " u"));
    if (const std::optional<ResidueId> id = parse_residue_id(names.residue_id)) {
      atom.residue_number = id->number;
      atom.insertion_code = id->insertion_code;
    } else if (unnumbered_++ == 0) {
      first_unnumbered_ = lines_.number();
    }
    return atom;
  }

  std::string_view text_;
  const std::string& path_;
  LineScanner lines_;
  Topology topology_;
  std::vector<AtomLink> bonds_;
  std::int64_t unnumbered_ = 0, first_unnumbered_ = 0;
};

}  // namespace

bool is_psf(std::string_view head) {
  LineScanner lines(head);
  std::string_view line;
  if (!lines.next(line) || take_token(line) != "PSF") return false;
  while (lines.next(line)) {
    const std::string_view count = take_token(line), section = take_token(line);
    if (count.empty()) continue;
    return parse_integer<std::int64_t>(count) &&
           (section.starts_with("!NTITLE") || section.starts_with("!NATOM"));
  }
  return false;
}

Topology read_psf(std::string_view text, const std::string& path) {
  return PsfReader(text, path).read();
}

std::vector<AtomLink> read_psf_bonds(std::string_view text, const std::string& path) {
  PsfReader reader(text, path);
  reader.read();
  return reader.bonds();
}

}  // namespace ionwell
