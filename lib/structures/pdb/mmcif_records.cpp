// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/mmcif_records.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

/// One of the tables, by the names of its items.
class Rows {
 public:
  Rows(const CifTable& table, std::string_view name) : table_(table), category_(name) {}

  std::size_t count() const { return table_.rows(); }
  int column(std::string_view item) const { return table_.column(std::string(category_).append(item)); }
  std::string_view at(std::size_t row, int column) const { return table_.at(row, column); }
  std::string_view at(std::size_t row, std::string_view item) const { return at(row, column(item)); }

 private:
  const CifTable& table_;
  std::string_view category_;
};

/// What the authors call a chain, a number and an insertion code; items where a category has these.
struct ResidueItems {
  std::string_view chain, number, insertion_code;
};

std::optional<RecordedResidue> residue_id(const Rows& rows, std::size_t row, const ResidueItems& items) {
  const std::string_view code = rows.at(row, items.insertion_code);
  const std::optional<int> number = parse_integer(rows.at(row, items.number));
  if (!number) return std::nullopt;
  return RecordedResidue{rows.at(row, items.chain), *number, code.empty() ? ' ' : code[0]};
}

constexpr ResidueItems of_authors = {"auth_asym_id", "auth_seq_id", "PDB_ins_code"};

/// Of an entry of several models each lists its own.
bool is_first_model(const Rows& rows, std::size_t row) {
  const std::string_view model = rows.at(row, "PDB_model_num");
  return model.empty() || model == "1";
}

/// Hydrogen bonds, salt bridges and pairs of bases that do not match are in _struct_conn, too.
bool is_bond(std::string_view type) {
  return type != "hydrog" && type != "saltbr" && type != "mismat";
}

void add_bonds(EntryRecords& records, const Rows& rows) {
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const auto first =
        residue_id(rows, row, {"ptnr1_auth_asym_id", "ptnr1_auth_seq_id", "pdbx_ptnr1_PDB_ins_code"});
    const auto second =
        residue_id(rows, row, {"ptnr2_auth_asym_id", "ptnr2_auth_seq_id", "pdbx_ptnr2_PDB_ins_code"});
    if (!first || !second || !is_bond(rows.at(row, "conn_type_id"))) continue;
    records.bonds.push_back({*first, *second, rows.at(row, "ptnr1_label_atom_id"),
                             rows.at(row, "ptnr2_label_atom_id"),
                             rows.at(row, "ptnr1_symmetry") != rows.at(row, "ptnr2_symmetry")});
  }
}

/// Where _pdbx_poly_seq_scheme has all chains: a number in the sequence that comes twice is of residues that
/// share a place.
void add_sequences(EntryRecords& records, const Rows& rows) {
  const int asym = rows.column("asym_id"), number = rows.column("seq_id"), name = rows.column("mon_id");
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const bool is_new = row == 0 || rows.at(row, asym) != rows.at(row - 1, asym);
    if (!is_new && rows.at(row, number) == rows.at(row - 1, number)) continue;
    if (is_new) records.sequences.push_back({rows.at(row, "pdb_strand_id"), {}});
    records.sequences.back().residues.emplace_back(rows.at(row, name));
  }
}

/// Otherwise from the sequences of entities, and the chains that are such.
void add_sequences_of_entities(EntryRecords& records, const Rows& rows, const Rows& entities) {
  const int entity = rows.column("entity_id"), number = rows.column("num"), name = rows.column("mon_id");
  for (std::size_t e = 0; e < entities.count(); ++e) {
    std::vector<Label> residues;
    std::string_view last;
    for (std::size_t row = 0; row < rows.count(); ++row) {
      if (rows.at(row, entity) != entities.at(e, "entity_id") || rows.at(row, number) == last) continue;
      last = rows.at(row, number);
      residues.emplace_back(rows.at(row, name));
    }
    for (std::string_view chains = entities.at(e, "pdbx_strand_id"); !chains.empty();) {
      const std::size_t end = std::min(chains.find(','), chains.size());
      records.sequences.push_back({trim(chains.substr(0, end)), residues});
      chains.remove_prefix(std::min(end + 1, chains.size()));
    }
  }
}

/// Flag 0 is of residues that are there, with an occupancy of zero.
void add_missing(EntryRecords& records, const Rows& rows) {
  for (std::size_t row = 0; row < rows.count(); ++row)
    if (const auto id = residue_id(rows, row, of_authors);
        id && is_first_model(rows, row) && rows.at(row, "occupancy_flag") != "0")
      records.missing.push_back({*id, rows.at(row, "auth_comp_id")});
}

}  // namespace

EntryRecords mmcif_entry_records(std::span<const CifTable> tables) {
  EntryRecords records;
  const auto rows = [&](std::size_t n) { return Rows(tables[n], record_categories[n]); };
  add_bonds(records, rows(0));
  const Rows modified = rows(1);
  for (std::size_t row = 0; row < modified.count(); ++row)
    if (const auto id = residue_id(modified, row, of_authors))
      records.modifications.push_back({*id, modified.at(row, "parent_comp_id")});
  add_missing(records, rows(2));
  if (rows(5).count() > 0)
    add_sequences(records, rows(5));
  else
    add_sequences_of_entities(records, rows(3), rows(4));
  const Rows special = rows(6);
  for (std::size_t row = 0; row < special.count(); ++row)
    if (const auto id = residue_id(special, row, of_authors); id && is_first_model(special, row))
      records.on_axes.push_back(*id);
  return records;
}

}  // namespace ionwell
