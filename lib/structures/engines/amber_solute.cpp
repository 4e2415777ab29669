// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/amber_solute.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"

namespace ionwell {
namespace {

constexpr std::size_t name_columns = 3;  // of a residue in LEaP's PDB files

bool is_nucleotide(const ResidueTemplate& residue) {
  return residue.kind == ResidueClass::rna || residue.kind == ResidueClass::dna;
}

bool is_modified(const ResidueTemplate& residue) {
  return residue.parent != residue.residue;
}

class SoluteNamer {
 public:
  SoluteNamer(std::span<const Atom> atoms, const NamedResidues& named,
              const std::vector<EngineLigand>& ligands)
      : atoms_(atoms), named_(named), ligands_(ligands), chemistry_(named.chemistry) {}

  AmberSolute solute() {
    load_ligands();
    number_residues();
    find_mapped_ends();
    for (const std::uint32_t r : order_) add_residue(r);
    add_ring_bonds();
    add_link_bonds();
    add_metal_bonds();
    add_sources();
    return std::move(solute_);
  }

 private:
  const PerceivedResidue& residue(std::uint32_t r) const { return chemistry_.residues[r]; }
  const ResidueTemplate* as(std::uint32_t r) const { return named_.residues[r].as; }

  void load_ligands() {
    for (std::size_t n = 0; n < ligands_.size(); ++n) {
      const EngineLigand& ligand = ligands_[n];
      std::string load = ligand.kind == LigandKind::mol2              ? "loadMol2 "
                         : ligand.kind == LigandKind::leap_parameters ? "loadAmberParams "
                                                                      : "loadOff ";
      load += ligand_file_name(ligands_, n);
      const bool is_mol2 = ligand.kind == LigandKind::mol2;
      if (is_mol2) load = unit_of(ligand) + " = " + load;
      solute_.units.push_back(std::move(load));
      // LEaP makes one unit of all copies in the file, which would then be there for each residue.
      for (std::size_t copy = is_mol2 ? ligand.residues.size() : 0; copy > 1; --copy)
        solute_.units.push_back("remove " + unit_of(ligand) + ' ' + unit_of(ligand) + '.' +
                                std::to_string(copy));
    }
  }

  /// The name of the unit that LEaP makes of a mol2 file.
  static const std::string& unit_of(const EngineLigand& ligand) {
    const std::string& name = ligand.residues.front();
    const std::set<std::string> names(ligand.residues.begin(), ligand.residues.end());
    if (names.size() != 1)
      fail(ligand.path, ": has residues of ", names.size(),
           " names, but LEaP makes one unit of a mol2 file; give a file for each");
    if (!is_plain_word(name))
      fail(ligand.path, ": its residue is called ", quote(name),
           ", which LEaP does not read as a name; use a name of letters and digits");
    return name;
  }

  /// Whole pieces, where their first residue stands.
  void number_residues() {
    numbers_.resize(chemistry_.residues.size());
    const auto add = [&](std::uint32_t r) {
      order_.push_back(r);
      numbers_[r] = int(order_.size());
    };
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      if (numbers_[r] != 0) continue;
      if (residue(r).piece == nothing)
        add(r);
      else
        for (const std::uint32_t of_piece : chemistry_.pieces[residue(r).piece].residues) add(of_piece);
    }
  }

  /// AMBER's name of a residue, as of loadOff.
  static Label unit_of(const ResidueTemplate& residue) {
    return residue.called_in(NamingScheme::amber)->residue;
  }

  /// The name within a chain, where that at the end is too long.
  static Label short_name(const ResidueTemplate& residue) {
    const Label unit = unit_of(residue);
    if (unit.view().size() <= name_columns) return unit;
    return unit_of(*residue_table().find(residue.name.view()));
  }

  bool begins_piece(std::uint32_t r) const {
    return residue(r).piece == nothing || chemistry_.pieces[residue(r).piece].residues.front() == r;
  }
  bool ends_piece(std::uint32_t r) const {
    return residue(r).piece == nothing || chemistry_.pieces[residue(r).piece].residues.back() == r;
  }

  /// The ends that LEaP's map is for.
  void find_mapped_ends() {
    for (const std::uint32_t r : order_) {
      if (as(r) == nullptr || unit_of(*as(r)).view().size() <= name_columns) continue;
      if (begins_piece(r) && ends_piece(r)) continue;  // LEaP takes it for an end behind another residue
      const char end = begins_piece(r) ? '0' : '1';
      const std::string name(short_name(*as(r)).view());
      if (mapped_.insert(end + name).second)
        solute_.residues.push_back(std::string("{ ") + end + " \"" + name + "\" \"" +
                                   std::string(unit_of(*as(r)).view()) + "\" }");
    }
  }

  /// A residue that is no end, as in a ring, where the map would make it one, and one that is alone, get a
  /// name of their own.
  Label written_name(std::uint32_t r) {
    if (as(r) == nullptr) return atoms_[residue(r).begin].residue;
    const Label name = short_name(*as(r)), unit = unit_of(*as(r));
    const std::string text(name.view());
    const bool is_mapped =
        (begins_piece(r) && mapped_.contains('0' + text)) || (ends_piece(r) && mapped_.contains('1' + text));
    const bool is_alone = begins_piece(r) && ends_piece(r);
    const bool is_right = name == unit ? !is_mapped : !is_alone;
    return is_right ? name : copy_of(unit);
  }

  /// The name of a copy of that unit.
  Label copy_of(Label unit) {
    const auto [at, is_new] = copies_.try_emplace(std::string(unit.view()));
    if (is_new) {
      at->second = "X" + std::string(copies_.size() < 11 ? "0" : "") + std::to_string(copies_.size() - 1);
      solute_.units.push_back(at->second + " = copy " + at->first);
    }
    return at->second.c_str();
  }

  void add_residue(std::uint32_t r) {
    const NamedResidue& named = named_.residues[r];
    const Label name = written_name(r), chain = chain_of(r);
    for (std::uint32_t n = residue(r).begin; n < residue(r).end; ++n) {
      Atom atom = atoms_[n];
      atom.name = named.atoms[n - residue(r).begin];
      atom.residue = name;
      atom.residue_number = numbers_[r];
      atom.insertion_code = ' ';
      atom.chain = chain;
      if (residue(r).role != ResidueRole::lipid)
        atom.ends_chain = false;  // a lipid may have several residues
      solute_.atoms.push_back(atom);
    }
    if (ends_piece(r) && residue(r).role != ResidueRole::lipid) solute_.atoms.back().ends_chain = true;
  }

  /// LEaP begins a molecule where the chain changes.
  Label chain_of(std::uint32_t r) const {
    const std::uint32_t piece = residue(r).piece;
    const std::uint32_t first = piece == nothing ? r : chemistry_.pieces[piece].residues.front();
    return atoms_[residue(first).begin].chain;
  }

  std::string leap_name(std::uint32_t atom) const {
    const std::uint32_t r = chemistry_.residue_of(atom);
    return "mol." + std::to_string(numbers_[r]) + '.' +
           std::string(named_.residues[r].atoms[atom - residue(r).begin].view());
  }

  AmberBond bond(std::uint32_t first, std::uint32_t second) const {
    return {"bond " + leap_name(first) + ' ' + leap_name(second),
            describe(atoms_[first]) + " to " + describe(atoms_[second])};
  }

  /// The atom of a residue that is that one of its template; or nothing.
  std::uint32_t atom_of(std::uint32_t r, std::size_t of_found) const {
    for (std::uint32_t n = residue(r).begin; n < residue(r).end; ++n)
      if (chemistry_.found_atoms[n] == of_found) return n;
    return nothing;
  }

  void add_ring_bonds() {
    for (const ChainPiece& piece : chemistry_.pieces) {
      if (!piece.is_ring) continue;
      const std::uint32_t first = piece.residues.front(), last = piece.residues.back();
      const std::uint32_t a = atom_of(first, residue(first).found->link_before),
                          b = atom_of(last, residue(last).found->link_after);
      if (a != nothing && b != nothing) solute_.bonds.push_back(bond(a, b));
    }
  }

  void add_link_bonds() {
    for (const ResidueLink& link : chemistry_.links)
      if (link.kind == LinkKind::disulfide || link.kind == LinkKind::phosphodiester)
        solute_.bonds.push_back(bond(link.first, link.second));
  }

  void add_metal_bonds() {
    for (const MetalSite& site : chemistry_.metals)
      for (const std::uint32_t ligand : site.ligands) {
        const std::uint32_t r = chemistry_.residue_of(ligand);
        if (as(r) != nullptr && as(r)->name == Label("CYM"))
          solute_.metal_bonds.push_back(bond(ligand, site.metal));
      }
  }

  /// Modified residues' parameters come behind those of the residues that they were made from.
  void add_sources() {
    bool has_protein = false, has_rna = false, has_dna = false, has_lipid = false;
    bool has_modified_rna = false, has_phosphates = false;
    std::vector<std::string> phosphate_units;
    for (const std::uint32_t r : order_) {
      has_lipid |= residue(r).role == ResidueRole::lipid;
      if (as(r) == nullptr) continue;
      const ResidueTemplate& t = *as(r);
      has_protein |= t.kind == ResidueClass::amino_acid || t.kind == ResidueClass::cap;
      has_rna |= t.kind == ResidueClass::rna;
      has_dna |= t.kind == ResidueClass::dna;
      solute_.lacks_torsion |= t.name == Label("7MG");
      has_modified_rna |= t.kind == ResidueClass::rna && is_modified(t);
      has_phosphates |= t.kind == ResidueClass::amino_acid && is_modified(t);
      if (is_nucleotide(t) && t.ends.first == ChainEnd::five_phosphate)
        phosphate_units.push_back(std::string(unit_of(t).view()) + " = copy " + hydroxyl_unit(t));
    }
    const auto add = [&](bool is_needed, const char* name) {
      if (is_needed) solute_.sources.emplace_back(name);
    };
    add(has_protein, "protein.ff19SB");
    add(has_phosphates, "phosaa19SB");
    add(has_rna, "RNA.OL3");
    add(has_modified_rna, "modrna08");
    add(has_dna, "DNA.OL15");
    add(has_lipid, "lipid21");
    add(!ligands_.empty(), "gaff2");
    if (solute_.lacks_torsion)
      solute_.units.push_back("loadAmberParams " + std::string(missing_torsion_file));
    add_phosphate_units(std::move(phosphate_units), has_rna, has_dna);
  }

  /// Of the unit that has a hydroxyl in its place.
  static std::string hydroxyl_unit(const ResidueTemplate& residue) {
    return std::string(residue.residue.view()) + "5";
  }

  /// The library has them under the names of ends with a hydroxyl, which are loaded once more behind it.
  void add_phosphate_units(std::vector<std::string> copies, bool has_rna, bool has_dna) {
    if (copies.empty()) return;
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
    solute_.units.emplace_back("loadOff terminal_monophosphate.lib");
    solute_.units.insert(solute_.units.end(), copies.begin(), copies.end());
    if (has_rna) solute_.units.emplace_back("loadOff RNA.lib");
    if (has_dna) solute_.units.emplace_back("loadOff DNA.OL15.lib");
  }

  std::span<const Atom> atoms_;
  const NamedResidues& named_;
  const std::vector<EngineLigand>& ligands_;
  const Chemistry& chemistry_;
  AmberSolute solute_;
  std::vector<std::uint32_t> order_;
  std::vector<int> numbers_;                   // from 1 on; 0: none yet
  std::set<std::string> mapped_;               // "0ALA": at the beginning of a chain; "1ALA": at its end
  std::map<std::string, std::string> copies_;  // by unit
};

}  // namespace

AmberSolute amber_solute(std::span<const Atom> atoms, const NamedResidues& named,
                         const std::vector<EngineLigand>& ligands) {
  return SoluteNamer(atoms, named, ligands).solute();
}

std::string ligand_file_name(const std::vector<EngineLigand>& ligands, std::size_t number) {
  const LigandKind kind = ligands[number].kind;
  return "ligand" + std::to_string(number + 1) +
         (kind == LigandKind::mol2              ? ".mol2"
          : kind == LigandKind::leap_parameters ? ".frcmod"
                                                : ".lib");
}

std::string missing_torsion() {
  return "Torsion of 7MG that all_modrna08.frcmod lacks, with the values that it has for CT-N*-CR-H5\n"
         "DIHE\n"
         "CB-N*-CR-H5   1    0.625       180.000           2.000      same as X -c2-na-X\n\n";
}

}  // namespace ionwell
