// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/mmcif_writer.hpp"

#include <string_view>

#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "structures/solute_elements.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

/// Whether CIF takes the value without quotes for a value, and not for one of its own words.
bool is_plain_value(std::string_view value) {
  constexpr std::string_view first_of_others = "_#$;[]";
  if (value.find_first_of(" \t'\"") != value.npos || first_of_others.find(value.front()) != value.npos)
    return false;
  if (value.find('_') == value.npos) return value != "." && value != "?";
  const std::string lower = lower_case(value);
  return !lower.starts_with("data_") && !lower.starts_with("save_") && lower != "loop_" && lower != "stop_" &&
         lower != "global_";
}

/// A value of a loop: in quotes where CIF would take it for something else.
void append_value(std::string& text, std::string_view value) {
  text += ' ';
  if (value.empty()) {
    text += '.';
  } else if (is_plain_value(value)) {
    text += value;
  } else if (value.find('"') == value.npos) {
    text.append("\"").append(value).append("\"");
  } else if (value.find("' ") == value.npos) {  // a quote within ends a value only before a blank
    text.append("'").append(value).append("'");
  } else {
    text.append("\n;").append(value).append("\n;");
  }
}

void append_cell(std::string& text, const UnitCell& cell) {
  const Vec3<double> lengths = lengths_A(cell), angles = angles_deg(cell);
  const std::pair<std::string_view, double> items[] = {{"length_a", lengths.x},  {"length_b", lengths.y},
                                                       {"length_c", lengths.z},  {"angle_alpha", angles.x},
                                                       {"angle_beta", angles.y}, {"angle_gamma", angles.z}};
  for (const auto& [name, value] : items) {
    text.append("_cell.").append(name) += ' ';
    append_exact(text, value, 3);
    text += '\n';
  }
  text += "_symmetry.space_group_name_H-M 'P 1'\n#\n";
}

constexpr std::string_view atom_site[] = {"group_PDB",      "id",
                                          "type_symbol",    "label_atom_id",
                                          "label_alt_id",   "label_comp_id",
                                          "label_asym_id",  "label_entity_id",
                                          "label_seq_id",   "pdbx_PDB_ins_code",
                                          "Cartn_x",        "Cartn_y",
                                          "Cartn_z",        "occupancy",
                                          "B_iso_or_equiv", "auth_seq_id",
                                          "auth_comp_id",   "auth_asym_id",
                                          "auth_atom_id",   "pdbx_PDB_model_num"};

std::string mmcif_head(const WrittenSystem& system) {
  std::string text = "data_ionwell\n#\n";
  for (const std::string& remark : system.placed().remarks)
    text.append("# ").append(one_line(remark)).append("\n");
  if (system.placed().cell) append_cell(text, *system.placed().cell);
  text += "loop_\n";
  for (const std::string_view item : atom_site) text.append("_atom_site.").append(item).append("\n");
  return text;
}

std::string_view chain_of(const Atom& atom) {
  return (atom.chain.empty() ? atom.segment : atom.chain).view();
}

void append_mmcif_atoms(std::string& text, const WrittenSystem& system, const AtomPiece& piece) {
  std::int64_t at = piece.first;
  for (const Atom& atom : piece.atoms) {
    const bool is_polymer = system.is_solute(at) && is_polymer_residue(atom.residue.view());
    const std::string_view chain = chain_of(atom);
    text += is_polymer ? "ATOM " : "HETATM ";
    append_number(text, ++at, 0);
    append_value(text, atom.element.view());
    const std::string_view name = atom.name.empty() ? "_" : atom.name.view();  // each must have one
    append_value(text, name);
    text += " .";
    append_value(text, atom.residue.view());
    append_value(text, chain);
    text += " 1 ";
    append_number(text, atom.residue_number, 0);
    if (atom.insertion_code == ' ')
      text += " ?";
    else
      append_value(text, {&atom.insertion_code, 1});
    // The solvent's positions are made here, and have no digits that a file gave them.
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (at <= system.own_atoms())
        append_exact(text += ' ', x_A, 3);
      else
        append_fixed(text += ' ', x_A, {0, 3});
    text += " 1.00 0.00 ";
    append_number(text, atom.residue_number, 0);
    append_value(text, atom.residue.view());
    append_value(text, chain);
    append_value(text, name);
    text += " 1\n";
  }
}

constexpr std::string_view partner_items[] = {"label_asym_id", "label_comp_id", "label_seq_id",
                                              "label_atom_id"};

/// Links of solute atoms, which a reader finds by chain, number and name.
std::string mmcif_tail(const WrittenSystem& system) {
  std::string text = "#\n";
  const PlacedSystem& placed = system.placed();
  if (placed.links.empty()) return text;
  text += "loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n";
  for (const char partner : {'1', '2'})
    for (const std::string_view item : partner_items)
      (((text += "_struct_conn.ptnr") += partner) += '_').append(item) += '\n';
  int number = 0;
  for (const auto& [first, second] : placed.links) {
    const Atom &a = placed.solute[first], &b = placed.solute[second];
    const bool is_disulfide = a.name == Label("SG") && b.name == Label("SG");
    text += (is_disulfide ? "disulf" : "covale") + std::to_string(++number);
    text += is_disulfide ? " disulf" : " covale";
    for (const Atom* const atom : {&a, &b}) {
      append_value(text, chain_of(*atom));
      append_value(text, atom->residue.view());
      append_number(text += ' ', atom->residue_number, 0);
      append_value(text, atom->name.view());
    }
    text += '\n';
  }
  return text += "#\n";
}

}  // namespace

TextFormat mmcif_format() {
  return {mmcif_head, append_mmcif_atoms, mmcif_tail, 110};
}

std::string mmcif_text(const PlacedSystem& system) {
  return text_of(system, mmcif_format());
}

}  // namespace ionwell
