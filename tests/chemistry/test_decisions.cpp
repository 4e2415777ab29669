// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "chemistry/decided.hpp"
#include "chemistry/decisions/decisions.hpp"
#include "chemistry/decisions/parents.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/made_structure.hpp"
#include "chemistry/templates/residue_charges.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "programs/pdb2pqr_states.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Decided {
  Chemistry chemistry;
  ChemistryDecisions decisions;

  const ResiduePlan& plan(std::size_t residue) const { return decisions.plans[residue]; }
  bool has_row(std::uint32_t residue, const std::string& what) const {
    return std::any_of(decisions.rows.begin(), decisions.rows.end(), [&](const ChemistryDecision& row) {
      return row.residue == residue && row.what.starts_with(what);
    });
  }
};

Decided decided(const std::vector<Atom>& atoms, const ChemistryChoices& choices = {},
                const EntryRecords& records = {}, std::int64_t inert = -1) {
  Decided result{perceive(atoms, records), {}};
  const ResidueUse use{.acts = [inert](std::uint32_t r) { return std::int64_t(r) != inert; },
                       .has_charges = [](std::string_view name) { return name == "LIG"; }};
  result.decisions = decide(atoms, result.chemistry, records, choices, use);
  return result;
}

bool amber_has(std::string_view state, bool is_at_end) {
  return has_state(ChargeForceField::amber, state, is_at_end);
}

std::string refusal_of(const std::vector<Atom>& atoms, const ChemistryChoices& choices = {}) {
  const Decided made = decided(atoms, choices);
  return error_of([&] { refuse_residues("x.pdb", atoms, made.chemistry, made.decisions); });
}

}  // namespace

TEST_CASE("charges of libraries: each residue that is complete has its formal charge") {
  int residues = 0;
  for (const ResidueTemplate& residue : residue_table().templates()) {
    if (residue.ends != ChainEnds{} || !has_library_charges(residue)) continue;
    double sum_e = 0.0;
    for (std::size_t n = 0; n < residue.atoms.size(); ++n) sum_e += *library_charge_e(residue, n);
    CAPTURE(describe(residue));
    CHECK(std::abs(sum_e - residue.charge_e()) < 2e-4);  // AMBER's MRC and MRG sum to -1.0001
    ++residues;
  }
  CHECK(residues >= 23);  // 14 nucleotides, 6 phosphorylated amino acids, 3 caps
  const ResidueTemplate& plain = *residue_table().find("ALA");
  CHECK_FALSE(library_charge_e(plain, 0).has_value());
}

TEST_CASE("decisions: disulfides, metals and histidines go by name") {
  MadeStructure made;
  made.add("CYS").chain("B").add("CYS").chain("C").add("CYS").chain("D").add("HIS").chain("E").add("ZN");
  made.join(1, "SG", 0, "SG", 2.03).join(3, "ND1", 4, "ZN", -2.1).join(4, "ZN", 2, "SG", 2.3);
  const Decided d = decided(made.atoms());
  CHECK(d.plan(0).sent_as == Label("CYX"));
  CHECK(d.plan(1).sent_as == Label("CYX"));
  CHECK(d.has_row(0, "disulfide bond to CYS 1 B"));
  CHECK(d.plan(2).sent_as == Label("CYM"));
  CHECK(d.has_row(2, "deprotonated (CYM)"));
  CHECK(d.plan(3).sent_as == Label("HIE"));
  CHECK(d.has_row(3, "its proton is on NE2 (HIE)"));
  CHECK(d.plan(4).fate == ResidueFate::ion);
  CHECK(decided(made.atoms(), {.crystal_ions = CrystalIons::ignore}).plan(4).fate == ResidueFate::removed);
}

TEST_CASE("decisions: a phosphate that begins a nucleic acid, and one behind a gap") {
  const MadeStructure made =
      MadeStructure().add("G").bound("C").number(6).add("A").bound("U", {{}, ChainEnd::three_hydroxyl});
  const Decided removed = decided(made.atoms());
  CHECK(removed.plan(0).loses_phosphate);
  CHECK_FALSE(removed.plan(1).loses_phosphate);  // a bonded one stays
  CHECK(removed.plan(2).loses_phosphate);
  CHECK(removed.has_row(0, "its 5' phosphate is removed"));
  CHECK(removed.has_row(2, "loses its phosphate"));
  CHECK(removed.has_row(2, "a gap after C 2 A: two pieces, with hydroxyls as ends"));
  const Decided kept = decided(made.atoms(), {.five_phosphate = FivePhosphate::keep});
  CHECK_FALSE(kept.plan(0).loses_phosphate);
  REQUIRE(kept.plan(0).goal != nullptr);
  CHECK(kept.plan(0).goal->charge_e() == -1);
  CHECK(kept.plan(2).loses_phosphate);  // nobody made that one
}

TEST_CASE("decisions: modified residues stay, or what they were made from is built") {
  MadeStructure made;
  made.add("A").bound("PSU").bound("G", {{}, ChainEnd::three_hydroxyl});
  made.chain("B").add("TYR").bound("PTR").bound("GLY", {{}, ChainEnd::c_terminal});
  made.chain("C").add_atoms("ABC", {"N", "CA", "C", "O", "CB"});
  const Decided kept = decided(made.atoms());
  for (const std::size_t r : {1, 4}) {
    CHECK(kept.plan(r).fate == ResidueFate::made);
    CHECK(kept.has_row(std::uint32_t(r), "kept, with charges from the AMBER libraries"));
  }
  CHECK(kept.plan(1).sent_as == Label("U"));
  CHECK(kept.plan(4).goal->charge_e() == -2);
  const Decided built = decided(made.atoms(), {.replace_nonstandard = true});
  CHECK(built.plan(1).is_replaced);
  CHECK(built.plan(1).fate == ResidueFate::sent);
  CHECK(built.has_row(4, "replaced by TYR"));
}

TEST_CASE(
    "decisions: a residue that is replaced has the bonds of what it becomes, pseudouridine by its turned "
    "base") {
  std::size_t compared = 0;
  for (const ResidueTemplate& t : residue_table().templates()) {
    if (t.parent == t.residue || t.ends != ChainEnds{}) continue;
    const ResidueTemplate* const parent = residue_table().find(t.parent.view());
    REQUIRE(parent != nullptr);
    CAPTURE(describe(t));
    MadeStructure made;
    made.add(t.name.view());
    const ResiduePlan plan{.sent_as = t.parent, .is_replaced = true, .parent = parent};
    const std::vector<Label> sent = sent_names(made.atoms(), plan);
    const auto name_of = [&](std::size_t atom) {
      for (std::size_t n = 0; n < sent.size(); ++n)
        if (made.atoms()[n].name == t.atoms[atom].name) return sent[n];
      return Label();
    };
    for (const TemplateBond& bond : t.bonds) {
      const Label a = name_of(bond.first), b = name_of(bond.second);
      if (a.empty() || b.empty()) continue;
      CAPTURE(a);
      CAPTURE(b);
      const std::size_t first = parent->find(a.view()), second = parent->find(b.view());
      CHECK(std::any_of(parent->bonds.begin(), parent->bonds.end(), [&](const TemplateBond& other) {
        return (other.first == first && other.second == second) ||
               (other.first == second && other.second == first);
      }));
      ++compared;
    }
  }
  CHECK(compared > 300);
}

TEST_CASE(
    "decisions: what no record names is made from the nucleotide whose atoms it has, and DNA's U from U") {
  MadeStructure made;
  made.add("A").bound("U").bound("DU").bound("G", {{}, ChainEnd::three_hydroxyl});
  std::vector<Atom>& atoms = made.atoms();
  for (Atom& atom : atoms)
    if (atom.residue_number == 2) atom.residue = "75B";
  Atom selenium = atoms[made.at(1, "C5")];
  selenium.name = "SE1";
  selenium.element = "SE";
  selenium.position_A.y += 1.9;
  atoms.insert(atoms.begin() + made.at(2, "P"), selenium);
  const Decided built = decided(atoms, {.replace_nonstandard = true});
  REQUIRE(built.chemistry.residues.size() == 4);
  CHECK(built.plan(1).sent_as == Label("U"));
  CHECK(built.plan(1).is_replaced);
  CHECK(built.plan(2).sent_as == Label("U"));
  CHECK(built.plan(2).is_replaced);
  const Decided kept = decided(atoms);
  CHECK(kept.plan(1).fate == ResidueFate::refused);
  CHECK(std::any_of(kept.decisions.rows.begin(), kept.decisions.rows.end(), [](const ChemistryDecision& row) {
    return row.residue == 2 && row.why == "not modified, but PDB2PQR does not have it; the option builds U";
  }));
}

TEST_CASE("decisions: a parent is built only where its bonds are, and not of a turned base") {
  const ResidueTemplate& uridine = *residue_table().find("U");
  MadeStructure made;
  made.add("U");
  for (Atom& atom : made.atoms()) atom.position_A = {};
  CHECK(has_bonds_of(made.atoms(), uridine));
  made.atoms()[made.at(0, "N1")].position_A.x = 3.2;  // as far from C1' as in a pseudouridine
  CHECK_FALSE(has_bonds_of(made.atoms(), uridine));
  made.atoms()[made.at(0, "N1")].name = "N9";  // what is not there tells nothing
  CHECK(has_bonds_of(made.atoms(), uridine));
}

TEST_CASE("decisions: rows say whose charges modified residues and caps get by another force field") {
  MadeStructure made;
  made.add("ACE").bound("TYR").bound("PTR").bound("GLY", {{}, ChainEnd::c_terminal});
  const Chemistry chemistry = perceive(made.atoms());
  for (const bool uses_libraries : {true, false}) {
    const ResidueUse use{.acts = [](std::uint32_t) { return true; },
                         .has_charges = [](std::string_view) { return false; },
                         .uses_libraries = uses_libraries};
    const Decided d{chemistry, decide(made.atoms(), chemistry, {}, {}, use)};
    CHECK(d.has_row(2, "kept, with charges from the AMBER libraries") == uses_libraries);
    CHECK(d.has_row(2, "kept, with the charges of TYR for the atoms that are the same") == !uses_libraries);
    CHECK(d.has_row(0, "kept, with charges from the AMBER libraries") == !uses_libraries);
  }
}

TEST_CASE("decisions: residues without charges stop the run, with what to do") {
  MadeStructure made;
  made.add("GLY").bound("ALA");
  made.chain("B").add_atoms("QQQ", {"C1", "C2", "O1"}).add_atoms("GOL", {"C1", "C2", "C3", "O1", "O2", "O3"});
  const std::string refusal = refusal_of(made.atoms());
  CHECK(refusal.starts_with("x.pdb: PDB2PQR has no charges for 2 residues: QQQ 1 B (ligand), GOL 2 B"));
  CHECK(refusal.find("--ligand FILE (mol2, prmtop, PSF, .itp), or leave them out with --ignore 'additive or "
                     "resname QQQ'") != std::string::npos);
  CHECK(decided(made.atoms(), {}, {}, 2).plan(2).fate == ResidueFate::uncharged);

  MadeStructure charged;
  charged.add("GLY").chain("B").add_atoms("LIG", {"C1", "C2"});
  CHECK(decided(charged.atoms()).plan(1).fate == ResidueFate::ligand);
  CHECK(refusal_of(charged.atoms()) == "no error");
}

TEST_CASE("decisions: within a chain nothing is removed but by --allow-missing") {
  MadeStructure made;
  made.add("GLY").add_atoms("ABC", {"N", "CA", "C", "O", "CB"}).add("GLY", {{}, ChainEnd::c_terminal});
  made.join(1, "N", 0, "C", 1.4).join(2, "N", 1, "C", 1.4);
  const std::string refusal = refusal_of(made.atoms());
  CHECK(refusal.starts_with("x.pdb: PDB2PQR has no charges for 1 residue: ABC 2 A (amino acid)"));
  CHECK(refusal.ends_with(
      "in a chain, give charges with --ligand FILE, or leave them out with --allow-missing"));
  CHECK(refusal_of(made.atoms(), {.allow_missing = true}) == "no error");
  CHECK(decided(made.atoms(), {.allow_missing = true}).has_row(1, "left out"));
  EntryRecords records;
  records.modifications.push_back({{"A", 2, ' '}, "ALA"});
  const Decided known = decided(made.atoms(), {}, records);
  CHECK(error_of([&] { refuse_residues("x.pdb", made.atoms(), known.chemistry, known.decisions); })
            .ends_with("in a chain, replace them by their parent residues with --replace-nonstandard, or "
                       "leave them out with --allow-missing"));
  const Decided built = decided(made.atoms(), {.replace_nonstandard = true}, records);
  CHECK(built.plan(1).sent_as == Label("ALA"));
  CHECK(built.has_row(1, "replaced by ALA"));
}

TEST_CASE("decisions: markers of a membrane are left out, and bind nothing") {
  MadeStructure made;
  made.add("GLY").bound("GLY", {{}, ChainEnd::c_terminal}).chain("");
  for (int n = 0; n < 3; ++n) made.add_atoms("DUM", {n == 1 ? "N" : "O"});
  made.join(1, "CA", 2, "O", 1.4);
  const DecidedStructure markers = decided_structure(made.atoms());
  CHECK(markers.chemistry.links.empty());
  for (const std::size_t r : {2, 3, 4}) CHECK(markers.plan(r).fate == ResidueFate::removed);
  CHECK(markers.rows(2) ==
        std::vector<std::string>{
            "left out, with 2 residues behind it (it marks the surface of a membrane and is not an atom)"});
  CHECK(markers.rows(3).empty());
  CHECK(refusal_of(made.atoms()) == "no error");
}

TEST_CASE("decisions: states that the force field does not have stay standard") {
  MadeStructure made;
  made.add("ASP").bound("LYS").bound("GLU", {{}, ChainEnd::c_terminal});
  constexpr std::string_view states[] = {"ASH", "LYN", "GLH"};
  for (Atom& atom : made.atoms()) atom.residue = states[atom.residue_number - 1];
  const Chemistry chemistry = perceive(made.atoms());
  const std::vector<ResiduePka> none;
  const auto by = [&](ChargeForceField force_field) {
    const ResidueUse use{
        .acts = [](std::uint32_t) { return true; },
        .has_charges = [](std::string_view) { return false; },
        .pkas = none,
        .has_state = [force_field](std::string_view state,
                                   bool is_at_end) { return has_state(force_field, state, is_at_end); }};
    return Decided{chemistry, decide(made.atoms(), chemistry, {}, {}, use)};
  };
  const Decided amber = by(ChargeForceField::amber), charmm = by(ChargeForceField::charmm);
  CHECK(amber.plan(0).sent_as == Label("ASP"));
  CHECK(amber.plan(0).is_replaced);
  CHECK(amber.has_row(0, "kept standard (ASP)"));
  CHECK(amber.plan(1).sent_as.empty());
  CHECK(amber.plan(2).sent_as == Label("GLU"));
  CHECK(charmm.plan(0).sent_as.empty());
  CHECK(charmm.plan(1).sent_as == Label("LYS"));
  CHECK(charmm.plan(2).sent_as.empty());
  CHECK_FALSE(by(ChargeForceField::parse).has_row(0, "kept standard"));
  for (const char* const state : {"TYM", "ARN"})
    CHECK_FALSE(has_state(ChargeForceField::parse, state, false));
}

TEST_CASE("decisions: the reason of a state is its hydrogens or its name") {
  for (const bool has_hydrogens : {false, true}) {
    MadeStructure made(has_hydrogens ? MadeStructure::Hydrogens::yes : MadeStructure::Hydrogens::no);
    made.add("GLY").bound("HID").bound("GLY", {{}, ChainEnd::c_terminal});
    for (Atom& atom : made.atoms())
      if (atom.residue_number == 2) atom.residue = "HSD";
    const Decided d = decided(made.atoms());
    int rows = 0;
    for (const ChemistryDecision& row : d.decisions.rows) {
      if (row.residue != 1 || row.what != "as HID") continue;
      CHECK(row.why == (has_hydrogens ? "by the hydrogens in the file" : "by its name"));
      ++rows;
    }
    CHECK(rows == 1);
  }
}

TEST_CASE("decisions: a pH gives states by pKa, and names what the force field does not have") {
  MadeStructure made;
  made.add("GLY").bound("ASP").bound("HIS").bound("LYS").bound("TYR").bound("GLU").bound("GLY").bound(
      "ASP", {{}, ChainEnd::c_terminal});
  const std::vector<ResiduePka> pkas = {{1, "ASP", 6.5}, {2, "HIS", 6.5}, {3, "LYS", 5.0}, {4, "TYR", 5.5},
                                        {5, "GLU", 4.5}, {7, "ASP", 7.0}, {0, "N+", 5.0},  {6, "N+", 5.0}};
  const Chemistry chemistry = perceive(made.atoms());
  const ResidueUse use{.acts = [](std::uint32_t) { return true; },
                       .has_charges = [](std::string_view) { return false; },
                       .pkas = pkas,
                       .has_state = amber_has};
  const Decided at_6{chemistry, decide(made.atoms(), chemistry, {}, {.pH = 6.0}, use)};
  CHECK(at_6.plan(1).sent_as == Label("ASH"));
  CHECK(at_6.plan(2).sent_as == Label("HIP"));
  CHECK(at_6.plan(3).sent_as == Label("LYN"));
  CHECK(at_6.plan(4).sent_as.empty());
  CHECK(at_6.has_row(4, "keeps its standard state"));
  CHECK(at_6.plan(5).sent_as.empty());
  CHECK_FALSE(at_6.has_row(5, ""));
  CHECK(at_6.plan(7).sent_as.empty());
  CHECK(at_6.has_row(7, "keeps its standard state"));
  CHECK(at_6.has_row(0, "its end of the chain stays charged"));
  CHECK_FALSE(at_6.has_row(6, "its end of the chain"));  // it is none
  const Decided without{chemistry, decide(made.atoms(), chemistry, {}, {}, use)};
  CHECK(without.plan(1).sent_as.empty());

  MadeStructure protonated(MadeStructure::Hydrogens::yes);
  protonated.add("GLY", {ChainEnd::n_terminal, ChainEnd::none})
      .bound("ASP")
      .bound("GLY", {{}, ChainEnd::c_terminal});
  const Chemistry with_hydrogens = perceive(protonated.atoms());
  ResidueUse of_three = use;
  of_three.pkas = std::span(pkas).first(1);
  const Decided kept{with_hydrogens, decide(protonated.atoms(), with_hydrogens, {}, {.pH = 6.0}, of_three)};
  CHECK(kept.plan(1).sent_as.empty());  // those of the file are respected
  CHECK(kept.has_row(1, "keeps the state that its hydrogens show"));
  const MadeStructure whole = protonated;
  const auto at_6_without = [&](const std::vector<std::string>& absent) {
    MadeStructure less = whole;
    std::erase_if(less.atoms(), [&](const Atom& atom) {
      return std::find(absent.begin(), absent.end(), std::string(atom.name.view())) != absent.end();
    });
    const Chemistry some = perceive(less.atoms());
    return Decided{some, decide(less.atoms(), some, {}, {.pH = 6.0}, of_three)};
  };
  CHECK(at_6_without({"H", "HA"}).plan(1).sent_as == Label("ASH"));  // those of carbons say nothing
  std::erase_if(protonated.atoms(), [](const Atom& atom) {
    return atom.residue_number == 2 && (atom.name == Label("HB2") || atom.name == Label("HB3"));
  });
  const Chemistry of_amides = perceive(protonated.atoms());  // whose hydrogens say nothing of a side chain
  CHECK(
      Decided{of_amides, decide(protonated.atoms(), of_amides, {}, {.pH = 6.0}, of_three)}.plan(1).sent_as ==
      Label("ASH"));

  MadeStructure tautomer(MadeStructure::Hydrogens::yes);
  tautomer.add("GLY", {ChainEnd::n_terminal, ChainEnd::none})
      .bound("HID")
      .bound("GLY", {{}, ChainEnd::c_terminal});
  for (Atom& atom : tautomer.atoms())
    if (atom.residue == Label("HID")) atom.residue = "HIS";
  const std::vector<ResiduePka> of_tautomer = {{1, "HIS", 6.5}, {0, "N+", 5.0}};
  of_three.pkas = of_tautomer;
  const Chemistry given = perceive(tautomer.atoms());
  const Decided stays{given, decide(tautomer.atoms(), given, {}, {.pH = 6.0}, of_three)};
  CHECK(stays.plan(1).sent_as == Label("HID"));
  CHECK(stays.has_row(1, "stays HID"));
  CHECK(stays.has_row(0, "its end of the chain stays charged"));
}
