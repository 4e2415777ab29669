// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/residue_links.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/recorded_atoms.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/perception/shared_places.hpp"

namespace ionwell {
namespace {

constexpr double longest_disulfide_A = 2.5;  // 2.05 A; two thiols are 3.5 A apart
constexpr double longest_amide_A = 1.65;     // 1.33 A
constexpr double longest_any_A = 2.6;        // what is looked through: C-I has 2.15 A
constexpr double longest_unstated_A = 2.0;   // C-S and P-O are shorter
constexpr double shortest_A = 0.9;           // nearer atoms of two residues are in one place, not bound
constexpr double longer_by_A =
    0.15;  // a bond of a ligand is so much longer than what covalent radii add up to,
constexpr double longer_amide_by_A = 0.25;  // of C and N, which bind in most of them,
constexpr double shorter_by_A = 0.3;        // or so much shorter when it is a double one
constexpr double longest_recorded_A =
    2.8;  // a record with a longer bond is of another model or of a symmetry mate

struct Candidate {
  double distance_A = 0.0;
  std::uint32_t first = 0, second = 0;

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

class LinkFinder {
 public:
  LinkFinder(WorkingResidues& working, const EntryRecords& records) : working_(working), records_(records) {}

  FoundLinks find() {
    find_disulfides();
    for (std::uint32_t r = 0; r < working_.residues().size(); ++r) {
      const WorkingResidue& residue = working_.residues()[r];
      if (residue.role == ResidueRole::bead || residue.role == ResidueRole::water ||
          residue.role == ResidueRole::ion)
        continue;
      if (residue.match == nullptr)
        find_of_unknown(r);
      else
        find_of_known(residue);
    }
    add_recorded();
    add_connected();
    note_unstated();
    for (const auto& [atoms, link] : links_) found_.links.push_back(link);
    return std::move(found_);
  }

 private:
  void add(LinkKind kind, std::uint32_t a, std::uint32_t b, bool is_recorded = false) {
    const std::pair<std::uint32_t, std::uint32_t> key = std::minmax(a, b);
    const auto [at, is_new] = links_.try_emplace(
        key, ResidueLink{kind, key.first, key.second, working_.distance_A(a, b), is_recorded});
    if (!is_new) at->second.is_recorded |= is_recorded;
  }

  bool is_thiol(std::uint32_t atom) const {
    const WorkingResidue& residue = working_.of_atom(atom);
    return residue.match != nullptr && residue.found()->residue == Label("CYS") &&
           working_.standard_name(atom) == "SG";
  }

  /// Whether one of two sulfurs of different chains has another one in its place that is in the other's
  /// chain.
  bool has_twin_in_chain(std::uint32_t a, std::uint32_t b) const {
    if (atom(a).chain == atom(b).chain) return false;
    bool has_twin = false;
    for (const auto& [here, chain] : {std::pair(a, atom(b).chain), std::pair(b, atom(a).chain)})
      working_.near(here, same_place_A, [&](std::uint32_t other, double) {
        has_twin |= is_thiol(other) && atom(other).chain == chain;
      });
    return has_twin;
  }

  /// The nearest pairs first: of three cysteines near each other two are bound.
  void find_disulfides() {
    std::set<Candidate> candidates;
    for (const WorkingResidue& residue : working_.residues()) {
      if (residue.match == nullptr || residue.found()->residue != Label("CYS")) continue;
      const std::uint32_t sulfur = working_.named(residue, "SG");
      if (sulfur == nothing) continue;
      working_.near(sulfur, longest_disulfide_A, [&](std::uint32_t other, double distance_A) {
        if (other > sulfur && is_thiol(other) && distance_A > shortest_A &&
            working_.residue_of(other) != working_.residue_of(sulfur) && !has_twin_in_chain(sulfur, other))
          candidates.insert({distance_A, sulfur, other});
      });
    }
    std::map<std::uint32_t, std::uint32_t> partners;
    for (const Candidate& pair : candidates) {
      const bool is_first_free = !partners.contains(pair.first),
                 is_second_free = !partners.contains(pair.second);
      if (is_first_free && is_second_free) {
        partners[pair.first] = pair.second;
        partners[pair.second] = pair.first;
        add(LinkKind::disulfide, pair.first, pair.second);
        continue;
      }
      const std::uint32_t left = is_first_free ? pair.first : pair.second,
                          bound = is_first_free ? pair.second : pair.first;
      if (working_.distance_A(left, partners[bound]) < shortest_A) continue;  // the same one twice
      note(left, "no disulfide with " + describe_residue(atom(bound)),
           "SG and SG are " + distance_text(pair.distance_A) + " apart, but " +
               describe_residue(atom(bound)) + " is nearer to " + describe_residue(atom(partners[bound])));
    }
  }

  /// Of amino acids and nucleotides with a template: the atoms that have bonds to others than their
  /// neighbours.
  void find_of_known(const WorkingResidue& residue) {
    if (residue.found()->kind == ResidueClass::amino_acid) {
      for (const Label nitrogen : {"NZ", "N"}) {
        const std::uint32_t from = working_.named(residue, nitrogen);
        if (from == nothing || (nitrogen == "N" && residue.before != nothing)) continue;
        find_near(
            residue, from, longest_amide_A,
            [&](std::uint32_t other) {
              const Label& name = working_.standard_name(other);
              const bool is_acyl = name == "CG" || name == "CD" || (name == "C" && nitrogen == "NZ");
              return is_acyl && working_.of_atom(other).role == ResidueRole::amino_acid;
            },
            LinkKind::isopeptide);
      }
      if (const std::uint32_t carbon = working_.named(residue, "C");
          carbon != nothing && residue.after == nothing)
        find_near(
            residue, carbon, longest_amide_A,
            [&](std::uint32_t other) {
              const Label& name = working_.standard_name(other);
              return (name == "O3'" || name == "O2'") &&
                     working_.of_atom(other).role == ResidueRole::nucleotide;
            },
            LinkKind::other);
      if (const std::uint32_t sulfur = working_.named(residue, "SG"); sulfur != nothing)
        find_near(
            residue, sulfur, longest_bond_A("S", "C"),
            [&](std::uint32_t other) {
              return working_.element(other) == "C" &&
                     working_.of_atom(other).role == ResidueRole::amino_acid;
            },
            LinkKind::other);
    } else if (residue.first_atom != nothing && residue.before == nothing) {
      find_near(
          residue, residue.first_atom, longest_bond_A("P", "O"),
          [&](std::uint32_t other) {
            return working_.element(other) == "O" && working_.of_atom(other).role == ResidueRole::nucleotide;
          },
          LinkKind::phosphodiester);
    }
  }

  template <typename Accept>
  void find_near(const WorkingResidue& residue, std::uint32_t from, double longest_A, const Accept& accept,
                 LinkKind kind) {
    const std::uint32_t own = working_.residue_of(from);
    working_.near(from, longest_A, [&](std::uint32_t other, double distance_A) {
      const std::uint32_t r = working_.residue_of(other);
      if (r == own || r == residue.before || r == residue.after || distance_A < shortest_A ||
          working_.of_atom(other).match == nullptr)
        return;
      if (accept(other) && !is_own_atom(own, other)) add(kind, from, other);
    });
  }

  /// Whether the atom lies in the place of one of residue `r`, as in a chain that is there twice.
  bool is_own_atom(std::uint32_t r, std::uint32_t other) const {
    for (std::uint32_t n = working_.residues()[r].begin; n < working_.residues()[r].end; ++n)
      if (working_.distance_A(n, other) < same_place_A) return true;
    return false;
  }

  /// Whatever it is bound to.
  void find_of_unknown(std::uint32_t r) {
    const std::uint32_t begin = working_.residues()[r].begin, end = working_.residues()[r].end;
    for (std::uint32_t from = begin; from < end; ++from) {
      if (working_.is_hydrogen(from) || is_metal(working_.element(from))) continue;
      working_.near(from, longest_any_A, [&](std::uint32_t to, double distance_A) {
        const WorkingResidue& other = working_.of_atom(to);
        if (working_.residue_of(to) == r || working_.is_hydrogen(to) || is_metal(working_.element(to)) ||
            distance_A < shortest_A || other.role == ResidueRole::water || other.role == ResidueRole::ion ||
            other.role == ResidueRole::additive || other.role == ResidueRole::bead)
          return;
        const double usual_A =
            covalent_radius_A(working_.element(from)) + covalent_radius_A(working_.element(to));
        const bool is_amide = (working_.element(from) == "C" && working_.element(to) == "N") ||
                              (working_.element(from) == "N" && working_.element(to) == "C");
        if (distance_A > usual_A + (is_amide ? longer_amide_by_A : longer_by_A)) return;
        if (distance_A < usual_A - shorter_by_A) return;
        if (is_own_atom(r, to)) return;
        if (!is_chain_bond(from, to) && !joins_chain(r, from, to)) add(kind_of(from, to), from, to);
      });
    }
  }

  bool is_chain_bond(std::uint32_t a, std::uint32_t b) const {
    const WorkingResidue &first = working_.of_atom(a), &second = working_.of_atom(b);
    return (first.last_atom == a && second.first_atom == b && first.after == working_.residue_of(b)) ||
           (second.last_atom == b && first.first_atom == a && second.after == working_.residue_of(a));
  }

  /// A residue with other names of its backbone, as a chromophore made of three: N1 is bound to a C, C3 to an
  /// N.
  bool joins_chain(std::uint32_t r, std::uint32_t from, std::uint32_t to) {
    WorkingResidue& residue = working_.residues()[r];
    const std::uint32_t q = working_.residue_of(to);
    WorkingResidue& other = working_.residues()[q];
    const bool is_peptide = other.role == ResidueRole::amino_acid;
    if (!is_peptide && other.role != ResidueRole::nucleotide) return false;
    const std::string_view first = is_peptide ? "N" : "P", last = is_peptide ? "C" : "O";
    if (residue.first_atom == nothing && other.last_atom == to && other.after == nothing &&
        working_.element(from) == first) {
      residue.first_atom = from;
      residue.before = q;
      other.after = r;
    } else if (residue.last_atom == nothing && other.first_atom == to && other.before == nothing &&
               working_.element(from) == last) {
      residue.last_atom = from;
      residue.after = q;
      other.before = r;
    } else {
      return false;
    }
    return true;
  }

  LinkKind kind_of(std::uint32_t a, std::uint32_t b) const {
    const bool has_sugar =
        working_.of_atom(a).role == ResidueRole::sugar || working_.of_atom(b).role == ResidueRole::sugar;
    if (has_sugar) return LinkKind::glycosidic;
    return is_thiol(a) && is_thiol(b) ? LinkKind::disulfide : LinkKind::other;
  }

  /// CONECT names atoms by number. Those that are too far apart have numbers of another file.
  void add_connected() {
    for (const auto& [a, b] : records_.connected_atoms) {
      if (std::max(a, b) >= working_.atoms().size() || a == b) continue;
      if (working_.residue_of(a) == working_.residue_of(b) || is_chain_bond(a, b)) continue;
      if (is_metal(working_.element(a)) || is_metal(working_.element(b))) continue;
      if (is_alone(a) || is_alone(b)) continue;
      const double distance_A = working_.distance_A(a, b);
      if (distance_A > shortest_A && distance_A <= longest_bond_A(working_.element(a), working_.element(b)))
        add(kind_of(a, b), a, b, true);
    }
  }

  bool is_alone(std::uint32_t n) const {
    const ResidueRole role = working_.of_atom(n).role;
    return role == ResidueRole::bead || role == ResidueRole::water || role == ResidueRole::ion;
  }

  void add_recorded() {
    if (records_.bonds.empty()) return;
    const RecordedAtoms recorded(working_);
    for (const RecordedBond& bond : records_.bonds) {
      const std::uint32_t a = recorded.atom(bond.first_residue, bond.first_atom.view());
      const std::uint32_t b = recorded.atom(bond.second_residue, bond.second_atom.view());
      if (a == nothing || b == nothing || a == b || working_.residue_of(a) == working_.residue_of(b))
        continue;
      if (is_metal(working_.element(a)) || is_metal(working_.element(b)) || is_chain_bond(a, b)) continue;
      if (working_.is_hydrogen(a) || working_.is_hydrogen(b)) continue;
      const double distance_A = working_.distance_A(a, b);
      const std::string what = "the recorded bond of " + std::string(bond.first_atom.view()) + " and " +
                               describe(atom(b)) + " is not made";
      if (bond.is_across_symmetry)
        note(a, what, "it leads to another asymmetric unit of the crystal");
      else if (distance_A > longest_recorded_A)
        note(a, what, "the atoms are " + distance_text(distance_A) + " apart");
      else
        add(kind_of(a, b), a, b, true);
    }
  }

  /// What may be a bond of two side chains, as of an ester, or a clash.
  void note_unstated() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;  // residues
    for (std::uint32_t r = 0; r < working_.residues().size(); ++r) {
      const WorkingResidue& residue = working_.residues()[r];
      if (residue.role != ResidueRole::amino_acid || residue.match == nullptr) continue;
      for (std::uint32_t from = residue.begin; from < residue.end; ++from) {
        if (!may_bind(from)) continue;
        working_.near(from, longest_unstated_A, [&](std::uint32_t to, double distance_A) {
          const WorkingResidue& other = working_.of_atom(to);
          const std::uint32_t q = working_.residue_of(to);
          if (q == r || q == residue.before || q == residue.after || other.match == nullptr ||
              !is_polymer(other.role) || working_.is_hydrogen(to) || distance_A < shortest_A ||
              distance_A > covalent_radius_A(working_.element(from)) +
                               covalent_radius_A(working_.element(to)) + longer_by_A)
            return;
          if (links_.contains(std::minmax(from, to)) || (is_thiol(from) && is_thiol(to)) ||
              is_own_atom(r, to) || is_own_atom(q, from) || !told.insert(std::minmax(r, q)).second)
            return;
          note(from,
               std::string(atom(from).name.view()) + " is " + distance_text(distance_A) + " from " +
                   describe(atom(to)) + ", and no bond is made",
               "a bond that no LINK or CONECT states, or a clash");
        });
      }
    }
  }

  /// N, O and S of a side chain.
  bool may_bind(std::uint32_t n) const {
    const std::string_view element = working_.element(n), name = working_.standard_name(n).view();
    const bool is_of_backbone = name == "N" || name == "O" || name == "OXT";
    return (element == "N" || element == "O" || element == "S") && !is_of_backbone;
  }

  const Atom& atom(std::uint32_t n) const { return working_.atoms()[n]; }
  void note(std::uint32_t n, std::string what, std::string why) {
    found_.notes.push_back({working_.residue_of(n), std::move(what), std::move(why)});
  }

  WorkingResidues& working_;
  const EntryRecords& records_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ResidueLink> links_;
  FoundLinks found_;
};

}  // namespace

FoundLinks find_links(WorkingResidues& working, const EntryRecords& records) {
  FoundLinks found = LinkFinder(working, records).find();
  found.metals = find_metal_sites(working);
  return found;
}

std::vector<MetalSite> find_metal_sites(const WorkingResidues& working) {
  constexpr double farthest_A = 3.2;
  std::vector<MetalSite> sites;
  for (std::uint32_t n = 0; n < working.atoms().size(); ++n) {
    const WorkingResidue& residue = working.of_atom(n);
    if (residue.role == ResidueRole::bead || residue.role == ResidueRole::water ||
        !is_metal(working.element(n)))
      continue;
    MetalSite site{n, {}};
    working.near(n, farthest_A, [&](std::uint32_t other, double distance_A) {
      if (working.residue_of(other) != working.residue_of(n) &&
          distance_A <= longest_coordination_A(working.element(n), working.element(other)))
        site.ligands.push_back(other);
    });
    std::sort(site.ligands.begin(), site.ligands.end());
    sites.push_back(std::move(site));
  }
  return sites;
}

}  // namespace ionwell
