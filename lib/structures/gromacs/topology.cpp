// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "core/chemistry/atomic_mass.hpp"
#include "core/chemistry/elements.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/residue_id.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {
namespace {

/// A directive's name without case, _ and -, which GROMACS does not look at.
std::string directive_name(std::string_view text) {
  std::string name = lower_case(trim(text));
  std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
  return name;
}

/// The first tokens of a line, and how many it has of them.
template <std::size_t most>
struct Fields {
  std::array<std::string_view, most> text;
  std::size_t count = 0;

  explicit Fields(std::string_view line) {
    while (count < most && !(text[count] = take_token(line)).empty()) ++count;
  }
};

struct AtomType {
  double mass_u = 0.0, charge_e = 0.0;
  int atomic_number = 0;
};

/// The element by its number, which makes no mistake where hydrogens are made heavy, or else by the mass.
ElementSymbol element_of(int atomic_number, double mass_u) {
  const std::string_view symbol = element_of_number(atomic_number);
  return symbol.empty() ? element_of_mass(mass_u) : ElementSymbol(symbol);
}

class TopologyReader {
 public:
  TopologyReader(const std::string& path, const GromacsTopologyOptions& options)
      : path_(path),
        most_atoms_(options.most_atoms),
        may_be_part_(options.may_be_part),
        lines_(path, options.preprocessor) {}

  GromacsTopology read() {
    while (lines_.next(line_)) {
      if (line_.text.starts_with('[')) {
        begin_section();
      } else if (read_ != nullptr) {
        (this->*read_)(lines_.expanded(line_));
      }
    }
    check_all();
    result_.topology.atoms = expand_molecules(result_.types, result_.molecules);
    result_.topology.links = expand_links(result_.types, result_.molecules);
    result_.included = lines_.included();
    return std::move(result_);
  }

 private:
  using Read = void (TopologyReader::*)(std::string_view);

  template <typename... Parts>
  [[noreturn]] void complain(const Parts&... parts) const {
    fail(*line_.path, ':', line_.number, ": ", parts...);
  }

  void begin_section() {
    const std::size_t close = line_.text.find(']');
    if (close == line_.text.npos) complain(quote(line_.text), " has no ]; write [ NAME ]");
    const std::string name = directive_name(line_.text.substr(1, close - 1));
    read_ = name == "atomtypes"      ? &TopologyReader::add_atom_type
            : name == "moleculetype" ? &TopologyReader::add_molecule_type
            : name == "atoms"        ? &TopologyReader::add_atom
            : name == "bonds"        ? &TopologyReader::add_bond
            : name == "constraints"  ? &TopologyReader::add_bond
            : name == "system"       ? &TopologyReader::add_title
            : name == "molecules"    ? &TopologyReader::add_molecules
                                     : nullptr;
    if (name == "moleculetype") awaits_name_ = true;
    if (name == "atoms" && (result_.types.empty() || awaits_name_))
      complain("[ atoms ] comes before the name of a [ moleculetype ]; put it after one");
    if (name != "molecules") return;
    if (result_.molecules_begin.line == 0) result_.molecules_begin = {*line_.path, line_.number};
    result_.last_entry = {*line_.path, line_.number};
  }

  double number(std::string_view text, std::string_view what) const {
    const std::optional<double> value = parse_number(text);
    if (!value) complain(what, ' ', quote(text), " is not a finite number; correct this line");
    return *value;
  }

  double charge_e(std::string_view text) const {
    const double value = number(text, "charge");
    if (!(std::abs(value) <= largest_charge_e))
      complain("charge is ", value, " e, but an atom has at most ", largest_charge_e,
               " e; check the columns of this line");
    return value;
  }

  /// Name, bonded type (may be missing), atomic number (may be missing), mass, charge, kind of particle. The
  /// last is a single letter, by which GROMACS tells what is missing, and so is it here.
  void add_atom_type(std::string_view text) {
    const Fields<6> fields(text);
    const auto is_letter_at = [&](std::size_t i) {
      return i < fields.count && fields.text[i].size() == 1 && is_letter(fields.text[i][0]);
    };
    const std::size_t kind = is_letter_at(5) ? 5 : is_letter_at(3) ? 3 : 4;
    if (!is_letter_at(kind))
      complain(
          "a line of [ atomtypes ] has name, bonded type, atomic number, mass, charge and a letter (A, V, D) "
          "for the kind of particle; this one is ",
          quote(text));
    AtomType type{number(fields.text[kind - 2], "mass"), charge_e(fields.text[kind - 1])};
    const bool has_number = kind == 5 || (kind == 4 && !is_letter(fields.text[1][0]));
    if (has_number) {
      const std::optional<int> atomic_number = parse_integer(fields.text[kind - 3]);
      if (!atomic_number)
        complain("atomic number ", quote(fields.text[kind - 3]), " is not a whole number; correct this line");
      type.atomic_number = *atomic_number;
    }
    atom_types_.insert_or_assign(std::string(fields.text[0]), type);
  }

  void add_molecule_type(std::string_view text) {
    if (!awaits_name_) complain(quote(text), " is a second line of [ moleculetype ], which has only one");
    awaits_name_ = false;
    const std::string_view name = take_token(text);
    if (const auto before = type_index_.find(std::string(name)); before != type_index_.end()) {
      const GromacsMoleculeType& type = result_.types[before->second];
      complain("[ moleculetype ] ", quote(name), " was defined before (", type.path, ':', type.line,
               "); rename or remove one of the two");
    }
    type_index_.emplace(name, result_.types.size());
    result_.types.push_back({.name = std::string(name), .path = *line_.path, .line = line_.number});
    chain_ = chain_of_molecule(name);
  }

  /// Number, type, residue number, residue, name, charge group; charge, mass; the same of state B.
  void add_atom(std::string_view text) {
    const Fields<8> fields(text);
    const auto& [serial, type_name, residue_id, residue, name, charge_group, charge, mass] = fields.text;
    std::vector<Atom>& atoms = result_.types.back().atoms;
    constexpr std::size_t fewest = 6;
    if (fields.count < fewest)
      complain(
          "a line of [ atoms ] has number, type, residue number, residue, atom and charge group; this one "
          "is ",
          quote(text));
    if (parse_integer<std::int64_t>(serial) != std::ssize(atoms) + 1)
      complain("atom number ", quote(serial), " should be ", atoms.size() + 1,
               " (atoms of a [ moleculetype ] are numbered from 1 on); are lines missing?");
    const std::optional<ResidueId> id = parse_residue_id(residue_id);
    if (!id)
      complain("residue number ", quote(residue_id),
               " is not a whole number, with or without one letter after it; correct this line");
    Atom atom{.name = name,
              .residue = residue,
              .chain = chain_,
              .residue_number = id->number,
              .insertion_code = id->insertion_code};
    const auto type = atom_types_.find(type_name);
    const bool is_known = type != atom_types_.end();
    constexpr std::size_t with_charge = 7, with_mass = 8;
    if (fields.count < with_charge && !is_known)
      complain("the line has no charge, and there is no ", quote(type_name),
               " in [ atomtypes ] to get it from; include the force field first");
    atom.charge_e = fields.count < with_charge ? type->second.charge_e : charge_e(charge);
    atom.element =
        element_of(is_known ? type->second.atomic_number : 0, fields.count >= with_mass ? number(mass, "mass")
                                                              : is_known                ? type->second.mass_u
                                                                                        : 0.0);
    atoms.push_back(atom);
    result_.types.back().net_charge_e += atom.charge_e;
  }

  /// The numbers of two atoms; a line of anything else is GROMACS's to refuse.
  void add_bond(std::string_view text) {
    if (result_.types.empty()) return;
    GromacsMoleculeType& type = result_.types.back();
    const Fields<2> fields(text);
    const std::optional<std::int64_t> first = parse_integer<std::int64_t>(fields.text[0]),
                                      second = parse_integer<std::int64_t>(fields.text[1]);
    const std::int64_t atoms = std::ssize(type.atoms);
    if (first && second && *first >= 1 && *first <= atoms && *second >= 1 && *second <= atoms)
      type.bonds.push_back({std::uint32_t(*first - 1), std::uint32_t(*second - 1)});
  }

  void add_title(std::string_view) {
    if (result_.title.empty()) result_.title = line_.text;  // GROMACS too replaces no words here
  }

  void add_molecules(std::string_view text) {
    const Fields<2> fields(text);
    const auto& [name, count_text] = fields.text;
    const std::optional<std::int64_t> count = parse_integer<std::int64_t>(count_text);
    if (!count || *count < 0)
      complain("the count of molecules ", quote(name), " is ", quote(count_text),
               ", but it must be a whole number of 0 or more; correct this line");
    const std::size_t index = type_index_of(name);
    result_.last_entry = {*line_.path, line_.number};
    const std::int64_t size = std::ssize(result_.types[index].atoms);
    if (size == 0)
      complain("molecule ", quote(name), " has no [ atoms ] (", result_.types[index].path, ':',
               result_.types[index].line, "); add them, or remove this line");
    if (*count > (most_atoms_ - total_) / size)
      complain("with ", grouped(*count), " molecules ", quote(name), " the system has more than ",
               grouped(most_atoms_), " atoms; correct the count");
    total_ += *count * size;
    if (*count > 0) result_.molecules.push_back({index, *count, *line_.path, line_.number});
  }

  /// By the exact name, or else by the only one that differs in the case of letters, as GROMACS does.
  std::size_t type_index_of(std::string_view name) const {
    if (const auto found = type_index_.find(std::string(name)); found != type_index_.end())
      return found->second;
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < result_.types.size(); ++i)
      if (lower_case(result_.types[i].name) == lower_case(name)) alike.push_back(i);
    if (alike.size() == 1) return alike.front();
    std::string names;
    for (const GromacsMoleculeType& type : result_.types) {
      constexpr std::size_t enough = 200;
      names += (names.empty() ? "" : " ") + type.name;
      if (names.size() > enough) break;
    }
    complain("there is no [ moleculetype ] ", quote(name), names.empty() ? " and no other" : " among ", names,
             "; include the file that defines it before [ molecules ]");
  }

  void check_all() {
    const bool is_part = may_be_part_ && result_.molecules_begin.line == 0;
    if (is_part && std::all_of(result_.types.begin(), result_.types.end(),
                               [](const GromacsMoleculeType& type) { return type.atoms.empty(); }))
      fail(path_, ": has no [ moleculetype ] with [ atoms ]; give the file that has them");
    if (result_.molecules_begin.line == 0 && !is_part)
      fail(path_,
           ": has no [ molecules ]; give the topology of the whole system (.top), not a part of it (.itp)");
    if (total_ == 0 && !is_part)
      fail(result_.molecules_begin.path, ':', result_.molecules_begin.line,
           ": [ molecules ] has no molecules; add them");
    for (const GromacsMoleculeType& type : result_.types) {
      if (type.atoms.empty()) continue;
      result_.has_ions |= type.is_ion();
      result_.has_water |= residue_kind(type.atoms.front().residue.view()) == ResidueKind::water;
    }
  }

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  const std::string& path_;
  std::int64_t most_atoms_, total_ = 0;
  bool may_be_part_;
  GromacsPreprocessor lines_;
  SourceLine line_;
  Read read_ = nullptr;       // what reads the lines of the section; nothing does where it does not matter
  bool awaits_name_ = false;  // the line behind [ moleculetype ] comes next
  Label chain_;
  std::unordered_map<std::string, AtomType, Hash, std::equal_to<>> atom_types_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> type_index_;
  GromacsTopology result_;
};

}  // namespace

GromacsTopology read_gromacs_topology(const std::string& path, const GromacsTopologyOptions& options) {
  return TopologyReader(path, options).read();
}

bool is_gromacs_topology(std::string_view head) {
  // An index file has [ System ] too, but a topology does not begin with it.
  constexpr std::string_view first_sections[] = {
      "defaults",      "atomtypes",     "bondtypes", "constrainttypes",       "pairtypes",   "angletypes",
      "dihedraltypes", "nonbondparams", "cmaptypes", "implicitgenbornparams", "moleculetype"};
  bool has_include = false, has_itp = false;  // C has #include, too, but no sections
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || line.starts_with(';') || line.starts_with('*')) continue;
    if (line.starts_with('#')) {
      const bool is_include = line.find("include") != line.npos;
      has_include |= is_include;
      has_itp |= is_include && line.find(".itp") != line.npos;
      continue;
    }
    const std::size_t close = line.find(']');
    if (!line.starts_with('[') || close == line.npos) return false;
    return has_include || std::find(std::begin(first_sections), std::end(first_sections),
                                    directive_name(line.substr(1, close - 1))) != std::end(first_sections);
  }
  return has_itp;
}

}  // namespace ionwell
