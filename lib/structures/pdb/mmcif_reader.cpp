// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/mmcif_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"
#include "files/text_pieces.hpp"
#include "structures/atom_limits.hpp"
#include "structures/pdb/cif_scanner.hpp"
#include "structures/pdb/cryst1.hpp"
#include "structures/pdb/crystal_records.hpp"
#include "structures/pdb/mmcif_records.hpp"

namespace ionwell {
namespace {

/// The items of _atom_site that are read.
enum Item : std::size_t {
  x,
  y,
  z,
  symbol,
  auth_atom,
  label_atom,
  auth_comp,
  label_comp,
  auth_asym,
  label_asym,
  auth_seq,
  label_seq,
  insertion,
  alternate,
  occupancy,
  b_factor,
  model,
  partial_charge,
  radius,
  items
};
constexpr std::array<std::string_view, items> item_names = {"Cartn_x",
                                                            "Cartn_y",
                                                            "Cartn_z",
                                                            "type_symbol",
                                                            "auth_atom_id",
                                                            "label_atom_id",
                                                            "auth_comp_id",
                                                            "label_comp_id",
                                                            "auth_asym_id",
                                                            "label_asym_id",
                                                            "auth_seq_id",
                                                            "label_seq_id",
                                                            "pdbx_PDB_ins_code",
                                                            "label_alt_id",
                                                            "occupancy",
                                                            "B_iso_or_equiv",
                                                            "pdbx_PDB_model_num",
                                                            "partial_charge",
                                                            "radius"};
constexpr std::string_view category = "_atom_site.";
constexpr std::string_view cell_categories[] = {"_cell.", "_exptl.", "_symmetry.", "_space_group.",
                                                "_atom_sites."};

/// The rows of _atom_site as atoms.
class AtomSiteReader {
 public:
  /// `bytes`: how many there will be.
  AtomSiteReader(const std::string& path, std::size_t bytes) : path_(path), bytes_(bytes) {
    sites_.structure.path = path;
  }

  AtomSites read(CifScanner& scanner) {
    std::vector<std::string_view> categories(std::begin(assembly_categories), std::end(assembly_categories));
    categories.insert(categories.end(), std::begin(cell_categories), std::end(cell_categories));
    categories.insert(categories.end(), record_categories.begin(), record_categories.end());
    std::vector<CifTable> tables =
        read_cif(scanner, path_, categories, category,
                 [this](std::span<const std::string> tags, CifScanner& at) { read_loop(tags, at); });
    if (const CifTable& single = tables.back(); !single.tags.empty() && sites_.structure.atoms.empty()) {
      find_columns(single.tags, single.line);
      for (std::size_t i = 0; i < items; ++i) fields_[i] = single.at(0, column_of_[i]);
      add_row(single.line);
    }
    if (sites_.structure.atoms.empty())
      fail(path_, ": has no atoms (no row of _atom_site); is it the right file?");
    end_polymer();
    const std::span<const CifTable> of_cell = std::span(tables).subspan(std::size(assembly_categories));
    records_ = mmcif_entry_records(of_cell.subspan(std::size(cell_categories), std::size(record_categories)));
    sites_.structure.cell = read_cell(of_cell[0]);
    if (sites_.structure.cell && tells_of_crystal(of_cell)) sites_.structure.cell->kind = CellKind::crystal;
    add_warnings();
    tables.resize(std::size(assembly_categories));
    assembly_tables_ = std::move(tables);
    return std::move(sites_);
  }

  /// After `read`.
  EntryRecords take_records() { return std::move(records_); }

  /// As assemblies_of takes them; after `read`.
  std::span<const CifTable> assembly_tables() const { return assembly_tables_; }

 private:
  void find_columns(std::span<const std::string> tags, std::int64_t line) {
    const CifTable named{{tags.begin(), tags.end()}, {}, line};
    for (std::size_t i = 0; i < items; ++i)
      column_of_[i] = named.column(std::string(category).append(item_names[i]));
    const auto need = [&](Item item, Item other) {
      if (column_of_[item] < 0 && column_of_[other] < 0)
        fail(path_, ':', line, ": the category _atom_site has no ", item_names[item],
             ", which a structure needs; get the file again");
    };
    need(x, x), need(y, y), need(z, z), need(label_atom, auth_atom), need(label_comp, auth_comp);
  }

  void read_loop(std::span<const std::string> tags, CifScanner& scanner) {
    const bool is_first = sites_.structure.atoms.empty();
    if (is_first) find_columns(tags, scanner.line());
    std::vector<std::string_view> row(tags.size());
    std::size_t last_length = 0;  // of the last value of the row before
    while (scanner.kind() == CifScanner::Kind::value) {
      const std::int64_t line = scanner.line();
      if (const std::size_t count = scanner.take_row(row); count < row.size())
        fail(path_, ':', line,
             ": the file ends in the middle of this row of _atom_site, or a value is missing (", count,
             " of ", row.size(), " are complete); copy it again");
      if (scanner.ends_text() && row.back().size() < last_length)
        fail(path_, ':', line,
             ": the file ends in the middle of this row of _atom_site; copy it again (or end the line, if it "
             "is "
             "complete)");
      last_length = row.back().size();
      if (!is_first) {
        ++rows_of_other_blocks_;
        continue;
      }
      for (std::size_t i = 0; i < items; ++i)
        if (column_of_[i] >= 0) fields_[i] = row[std::size_t(column_of_[i])];
      add_row(line);
    }
  }

  std::string_view first_of(Item item, Item other) const {
    return fields_[item].empty() ? fields_[other] : fields_[item];
  }

  double number(Item item, std::int64_t line, double most, double without) const {
    const std::string_view field = fields_[item];
    if (field.empty() && item > z) return without;
    double value = 0.0;
    const char* const end = field.data() + field.size();
    if (field.empty() || scan_short_decimal(field.data(), end, value) != end) {
      const std::string_view without_error = field.substr(0, field.find('('));  // 1.234(5)
      const std::optional<double> any = parse_number(without_error);
      if (!any)
        fail(path_, ':', line, ": ", item_names[item], ' ', quote(field),
             " is not a finite number; correct this row of _atom_site, or get the file again");
      value = *any;
    }
    if (!(std::abs(value) < most))
      fail(path_, ':', line, ": ", item_names[item], " is ", value, ", but for an atom it is below ", most,
           "; check the units and the columns of this row");
    return value;
  }

  Label label(std::string_view text) {
    if (text.size() > Label::capacity && cut_++ == 0) first_cut_ = text;
    return text;
  }

  void add_row(std::int64_t line) {
    std::vector<Atom>& atoms = sites_.structure.atoms;
    if (atoms.empty()) {
      model_ = last_model_ = fields_[model];
      constexpr std::size_t usual_row = 80;  // bytes
      atoms.reserve(bytes_ / usual_row + 1);
      sites_.details.reserve(bytes_ / usual_row + 1);
      sites_.asym.reserve(bytes_ / usual_row + 1);
    }
    if (fields_[model] != last_model_) {
      last_model_ = fields_[model];
      ++other_models_;
    }
    if (fields_[model] != model_) return;
    Atom atom;
    atom.position_A = {number(x, line, largest_coordinate_A, 0.0), number(y, line, largest_coordinate_A, 0.0),
                       number(z, line, largest_coordinate_A, 0.0)};
    atom.charge_e = number(partial_charge, line, largest_charge_e, 0.0);
    atom.radius_A = number(radius, line, largest_radius_A, 0.0);
    if (atom.radius_A < 0.0)
      fail(path_, ':', line, ": radius is ", atom.radius_A,
           " A, but it cannot be negative; correct this row");
    atom.name = label(first_of(auth_atom, label_atom));
    if (atom.name.empty()) fail(path_, ':', line, ": the atom has no name; correct this row of _atom_site");
    atom.residue = label(first_of(auth_comp, label_comp));
    atom.chain =
        label(fields_[column_of_[auth_asym] >= 0 ? auth_asym : label_asym]);  // . is a chain without a name
    atom.element = element_symbol(fields_[symbol]);
    set_residue_number(atom);
    const Label asym = fields_[label_asym].empty() ? atom.chain : label(fields_[label_asym]);
    if (!atoms.empty() && !(asym == sites_.asym.back())) end_polymer();
    is_polymer_ = !fields_[label_seq].empty();
    atoms.push_back(atom);
    sites_.asym.push_back(asym);
    sites_.details.push_back({fields_[alternate].empty() ? ' ' : fields_[alternate][0],
                              float(number(occupancy, line, largest_charge_e, 1.0)),
                              float(number(b_factor, line, 1e30, 0.0))});
  }

  /// Old files write the insertion code behind the number: 15A.
  void set_residue_number(Atom& atom) {
    std::string_view field = first_of(auth_seq, label_seq);
    if (!fields_[insertion].empty()) atom.insertion_code = fields_[insertion][0];
    if (!field.empty() && is_letter(field.back())) {
      atom.insertion_code = field.back();
      field.remove_suffix(1);
    }
    const std::optional<int> value = parse_integer(field);
    if (!value && !field.empty()) ++unnumbered_;
    atom.residue_number = value.value_or(0);
  }

  void end_polymer() {
    if (is_polymer_) sites_.structure.atoms.back().ends_chain = true;
  }

  std::optional<UnitCell> read_cell(const CifTable& table) {
    constexpr std::string_view tags[] = {"_cell.length_a",    "_cell.length_b",   "_cell.length_c",
                                         "_cell.angle_alpha", "_cell.angle_beta", "_cell.angle_gamma"};
    std::array<double, 6> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string_view text =
          table.rows() > 0 ? table.at(0, table.column(tags[i])) : std::string_view{};
      values[i] = parse_number(text.substr(0, text.find('('))).value_or(0.0);
    }
    return crystallographic_cell(values, path_ + ':' + std::to_string(table.line));
  }

  /// As EXPDTA, SCALE and a space group do in a PDB file: the tables behind that of the cell.
  static bool tells_of_crystal(std::span<const CifTable> of_cell) {
    const auto value = [&](std::size_t table, std::string_view tag) {
      const CifTable& found = of_cell[table];
      return found.rows() > 0 ? found.at(0, found.column(tag)) : std::string_view{};
    };
    return !value(1, "_exptl.method").empty() ||
           is_crystal_group(value(2, "_symmetry.space_group_name_H-M")) ||
           is_crystal_group(value(3, "_space_group.name_H-M_alt")) ||
           !value(4, "_atom_sites.fract_transf_matrix[1][1]").empty();
  }

  void add_warnings() {
    const auto warn = [this](const std::string& text) {
      sites_.structure.warnings.push_back(path_ + ": " + text);
    };
    const auto add_note = [this](const std::string& text) {
      sites_.structure.warnings.push_back(note(path_ + ": " + text));
    };
    if (other_models_ > 0) add_note("contains " + grouped(other_models_ + 1) + " models; the first was used");
    if (rows_of_other_blocks_ > 0)
      warn(count_of(rows_of_other_blocks_, "atom") + " of a second _atom_site were left out");
    if (unnumbered_ > 0)
      add_note("the residue numbers of " + count_of(unnumbered_, "atom") + " are not numbers; 0 was used");
    if (cut_ > 0)
      add_note("names were shortened to " + std::to_string(Label::capacity) + " characters, first " +
               quote(first_cut_) + " (" + count_of(cut_, "name") + ")");
  }

  const std::string& path_;
  std::size_t bytes_;
  AtomSites sites_;
  EntryRecords records_;
  std::vector<CifTable> assembly_tables_;
  std::array<int, items> column_of_{};
  std::array<std::string_view, items> fields_;  // of the present row; empty for . and ?
  std::string model_, last_model_, first_cut_;
  bool is_polymer_ = false;
  std::int64_t other_models_ = 0, rows_of_other_blocks_ = 0, unnumbered_ = 0, cut_ = 0;
};

MmcifFile read_from(CifScanner& scanner, const std::string& path, std::size_t bytes,
                    const PdbReadOptions& options) {
  AtomSiteReader reader(path, bytes);
  AtomSites sites = reader.read(scanner);
  resolve_alternate_locations(sites);
  if (std::all_of(sites.structure.atoms.begin(), sites.structure.atoms.end(),
                  [](const Atom& atom) { return atom.charge_e == 0.0; }))
    take_charges_from_columns(sites);
  if (!options.assembly.empty())
    expand_assembly(sites.structure, sites.asym,
                    find_assembly(assemblies_of(reader.assembly_tables(), path), options.assembly, path));
  return {std::move(sites.structure), reader.take_records()};
}

/// read(scanner, path, bytes) of the text of a file.
template <typename Read>
auto read_pieces(InputFile file, const Read& read) {
  const std::string path = file.name();
  TextPieces pieces(std::move(file));
  try {
    CifScanner scanner([&pieces] { return pieces.next(); }, path);
    return read(scanner, path, pieces.likely_size());
  } catch (const Error&) {
    pieces.check_rest();
    throw;
  }
}

}  // namespace

bool is_mmcif(std::string_view head) {
  LineScanner lines(head);
  std::string_view first;
  while (lines.next(first) && (trim(first).empty() || trim(first).starts_with('#'))) {
  }
  if (!lower_case(trim(first)).starts_with("data_")) return false;
  const auto has = [head](std::string_view text) { return head.find(text) != head.npos; };
  return has("_atom_site.") || ((has("_entry.id") || has("_audit_conform.dict_name")) && !has("_refln.") &&
                                !has("_diffrn_radiation_wavelength.") && !trim(first).ends_with("sf"));
}

Structure read_mmcif(std::string_view text, const std::string& path, const PdbReadOptions& options) {
  CifScanner scanner(text, path);
  return read_from(scanner, path, text.size(), options).structure;
}

Structure read_mmcif(InputFile file, const PdbReadOptions& options) {
  return read_mmcif_entry(std::move(file), options).structure;
}

MmcifFile read_mmcif_entry(InputFile file, const PdbReadOptions& options) {
  return read_pieces(std::move(file), [&](CifScanner& scanner, const std::string& path, std::size_t bytes) {
    return read_from(scanner, path, bytes, options);
  });
}

AtomSites read_mmcif_sites(InputFile file) {
  return read_pieces(std::move(file), [](CifScanner& scanner, const std::string& path, std::size_t bytes) {
    return AtomSiteReader(path, bytes).read(scanner);
  });
}

}  // namespace ionwell
