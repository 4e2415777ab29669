// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/gap_caps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "chemistry/decisions/cap_geometry.hpp"
#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "core/cell_list.hpp"
#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

constexpr double nearest_allowed_A = 2.0;
constexpr double reach_A = 8.0;  // from the atom that binds a cap to whatever its atoms could be near to

bool is_hydrogen(const Atom& atom) {
  return element_by_name(atom, false) == ElementSymbol("H");
}

std::vector<Vec3<double>> positions_of(std::span<const Atom> atoms) {
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(atoms.size());
  for (const Atom& atom : atoms) positions_A.push_back(atom.position_A);
  return positions_A;
}

/// A cap on trial, with the distance of its heavy atoms to the nearest other.
struct TriedCap {
  std::vector<Atom> atoms;
  double nearest_A = reach_A;
  const Atom* nearest = nullptr;
};

class GapCapper {
 public:
  GapCapper(std::span<const Atom> atoms, const EntryRecords& records, const Chemistry& chemistry,
            const ResidueUse& use)
      : atoms_(atoms),
        records_(records),
        chemistry_(chemistry),
        use_(use),
        cells_(positions_of(atoms), 0.5 * reach_A) {}

  CappedEntry cap() {
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) numbers_.insert(number_of(first(r)));
    for (const ChainGap& gap : chemistry_.gaps) {
      if (!is_amino_acid(gap.before) || !is_amino_acid(gap.after)) continue;
      cap_end(gap, gap.before, true);
      cap_end(gap, gap.after, false);
    }
    return put_together();
  }

 private:
  using Number = std::tuple<std::string, std::string, int, char>;  // chain, segment, number, insertion code

  static Number number_of(const Atom& atom) {
    return {std::string(atom.chain.view()), std::string(atom.segment.view()), atom.residue_number,
            atom.insertion_code};
  }
  const PerceivedResidue& residue(std::uint32_t r) const { return chemistry_.residues[r]; }
  const Atom& first(std::uint32_t r) const { return atoms_[residue(r).begin]; }
  bool is_amino_acid(std::uint32_t r) const { return residue(r).role == ResidueRole::amino_acid; }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    return atoms_.subspan(residue(r).begin, residue(r).end - residue(r).begin);
  }
  const Atom* named(std::uint32_t r, const char* name) const {
    for (const Atom& atom : atoms_of(r))
      if (atom.name == Label(name)) return &atom;
    return nullptr;
  }

  void cap_end(const ChainGap& gap, std::uint32_t r, bool is_last) {
    std::string why = hindrance(r);
    TriedCap tried;
    if (why.empty()) why = is_last ? try_nme(r, tried) : try_ace(r, tried);
    if (!why.empty()) {
      charged_ends_.push_back({r, is_last, std::move(why)});
      return;
    }
    const Atom like = numbered(gap, is_last);
    for (Atom& atom : tried.atoms) {
      atom.residue_number = like.residue_number;
      atom.insertion_code = like.insertion_code;
    }
    if (is_last) tried.atoms.back().ends_chain = true;
    (is_last ? behind_ : before_).emplace(r, std::move(tried.atoms));
  }

  /// What keeps a residue from being capped, whatever is around it; empty: nothing.
  std::string hindrance(std::uint32_t r) const {
    const ResidueTemplate* const found = residue(r).found;
    if (!use_.acts(r)) return "it is ignored";
    if (use_.has_charges(first(r).residue.view())) return "its charges come from a file";
    if (found == nullptr || parent_template(found->parent.view(), {}) == nullptr)
      return "it is not an amino acid of the table";
    return {};
  }

  std::string try_nme(std::uint32_t r, TriedCap& tried) const {
    const Atom *const carbon = named(r, "C"), *const alpha = named(r, "CA"), *const oxygen = named(r, "O");
    if (carbon == nullptr || alpha == nullptr || oxygen == nullptr) return "its CA, C or O is missing";
    if (named(r, "OXT") != nullptr) return "it has an OXT";
    if (!are_apart(*carbon, *alpha, *oxygen)) return "its CA, C and O are on a line";
    tried = tried_cap(built_nme({carbon->position_A, alpha->position_A, oxygen->position_A}, first(r)),
                      {carbon, alpha, oxygen});
    return clash("NME", tried);
  }

  std::string try_ace(std::uint32_t r, TriedCap& tried) const {
    const Atom *const nitrogen = named(r, "N"), *const alpha = named(r, "CA"), *const carbon = named(r, "C");
    if (nitrogen == nullptr || alpha == nullptr || carbon == nullptr) return "its N, CA or C is missing";
    if (!are_apart(*nitrogen, *alpha, *carbon)) return "its N, CA and C are on a line";
    const Atom* const ring = residue(r).found->parent == Label("PRO") ? named(r, "CD") : nullptr;
    std::vector<const Atom*> hydrogens;
    for (const Atom& atom : atoms_of(r))
      if (is_hydrogen(atom) && distance_squared(atom.position_A, nitrogen->position_A) < 1.2 * 1.2)
        hydrogens.push_back(&atom);
    if (hydrogens.size() > (ring == nullptr ? 1u : 0u)) return "it has the hydrogens of a charged end";
    std::vector<Vec3<double>> planes_A;
    if (ring != nullptr || !hydrogens.empty()) {
      planes_A.push_back((ring != nullptr ? ring : hydrogens[0])->position_A);
    } else {
      for (double phi = -60.0; phi >= -150.0; phi -= 15.0)
        planes_A.push_back(hydrogen_of_phi(nitrogen->position_A, alpha->position_A, carbon->position_A, phi));
    }
    for (const Vec3<double>& plane_A : planes_A) {
      TriedCap cap = tried_cap(built_ace({nitrogen->position_A, alpha->position_A, plane_A}, first(r)),
                               {nitrogen, alpha, ring});
      if (tried.atoms.empty() || cap.nearest_A > tried.nearest_A) tried = std::move(cap);
    }
    return clash("ACE", tried);
  }

  static bool are_apart(const Atom& a, const Atom& b, const Atom& c) {
    const Vec3<double> normal = cross(b.position_A - a.position_A, c.position_A - a.position_A);
    return dot(normal, normal) > 0.01;  // A^4: those of a residue have more than 1
  }

  /// Distances to the atoms that hold the cap, `own`, are those of bonds and angles.
  TriedCap tried_cap(std::vector<Atom> cap, std::initializer_list<const Atom*> own) const {
    TriedCap tried{std::move(cap)};
    const Vec3<double>& centre_A = (*own.begin())->position_A;
    const auto compare = [&](const Atom& other) {
      if (distance_squared(other.position_A, centre_A) > reach_A * reach_A || is_hydrogen(other) ||
          std::find(own.begin(), own.end(), &other) != own.end())
        return;
      for (const Atom& atom : tried.atoms) {
        if (atom.element == ElementSymbol("H")) continue;
        const double distance_A = std::sqrt(distance_squared(atom.position_A, other.position_A));
        if (distance_A >= tried.nearest_A) continue;
        tried.nearest_A = distance_A;
        tried.nearest = &other;
      }
    };
    std::vector<std::uint32_t> near;
    cells_.near({centre_A, centre_A}, reach_A, [&](std::uint32_t n) { near.push_back(n); });
    std::sort(near.begin(), near.end());  // of atoms at one distance the first counts
    for (const std::uint32_t n : near) compare(atoms_[n]);
    for (const auto* const caps : {&behind_, &before_})
      for (const auto& [r, built] : *caps)
        for (const Atom& other : built) compare(other);
    return tried;
  }

  static std::string clash(const std::string& cap, const TriedCap& tried) {
    if (tried.nearest_A >= nearest_allowed_A) return {};
    return cap + " would be " + distance_text(tried.nearest_A) + " from " + describe(*tried.nearest);
  }

  /// An atom with the number of a cap, which is taken from now on.
  Atom numbered(const ChainGap& gap, bool is_last) {
    const Atom &before = first(gap.before), &after = first(gap.after);
    Atom cap = is_last ? before : after;
    cap.residue_number = is_last ? before.residue_number + 1 : after.residue_number - 1;
    cap.insertion_code = ' ';
    const bool is_in_gap =
        cap.residue_number > before.residue_number && cap.residue_number < after.residue_number;
    if (!is_in_gap) cap.residue_number = before.residue_number;
    if (!is_in_gap || numbers_.contains(number_of(cap))) {
      cap.insertion_code = 'A';
      while (cap.insertion_code < 'Z' && numbers_.contains(number_of(cap))) ++cap.insertion_code;
    }
    numbers_.insert(number_of(cap));
    return cap;
  }

  CappedEntry put_together() {
    CappedEntry result;
    std::vector<std::uint32_t> new_atoms(atoms_.size()), new_residues(chemistry_.residues.size());
    std::uint32_t residues = 0;
    const auto add_cap = [&](std::map<std::uint32_t, std::vector<Atom>>& caps, std::uint32_t r,
                             std::uint32_t origin) {
      const auto found = caps.find(r);
      if (found == caps.end()) return;
      for (const Atom& atom : found->second) {
        result.atoms.push_back(atom);
        result.origins.push_back(origin);
      }
      ++residues;
    };
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      add_cap(before_, r, residue(r).begin);
      new_residues[r] = residues++;
      for (std::uint32_t n = residue(r).begin; n < residue(r).end; ++n) {
        new_atoms[n] = std::uint32_t(result.atoms.size());
        result.atoms.push_back(atoms_[n]);
        result.origins.push_back(n);
      }
      add_cap(behind_, r, residue(r).end - 1);
    }
    result.records = records_;
    for (auto& [first, second] : result.records.connected_atoms) {
      if (first < new_atoms.size()) first = new_atoms[first];
      if (second < new_atoms.size()) second = new_atoms[second];
    }
    result.chemistry = perceive(result.atoms, result.records);
    keep_gaps(new_residues, result.chemistry);
    result.charged_ends = std::move(charged_ends_);
    for (ChargedGapEnd& end : result.charged_ends) end.residue = new_residues[end.residue];
    return result;
  }

  /// Those of the entry, between its own residues, and what is said of them.
  void keep_gaps(std::span<const std::uint32_t> new_residues, Chemistry& chemistry) const {
    const auto is_of_gap = [](const ChemistryNote& note) { return note.what.starts_with("a gap after "); };
    std::erase_if(chemistry.notes, is_of_gap);
    for (ChemistryNote note : chemistry_.notes) {
      if (!is_of_gap(note)) continue;
      note.residue = new_residues[note.residue];
      chemistry.notes.push_back(std::move(note));
    }
    std::stable_sort(chemistry.notes.begin(), chemistry.notes.end(),
                     [](const ChemistryNote& a, const ChemistryNote& b) { return a.residue < b.residue; });
    chemistry.gaps = chemistry_.gaps;
    for (ChainGap& gap : chemistry.gaps) {
      gap.before = new_residues[gap.before];
      gap.after = new_residues[gap.after];
    }
  }

  std::span<const Atom> atoms_;
  const EntryRecords& records_;
  const Chemistry& chemistry_;
  const ResidueUse& use_;
  CellList cells_;
  std::set<Number> numbers_;
  std::map<std::uint32_t, std::vector<Atom>> behind_, before_;  // caps by the residue that has them
  std::vector<ChargedGapEnd> charged_ends_;
};

}  // namespace

CappedEntry cap_gaps(std::span<const Atom> atoms, const EntryRecords& records, const Chemistry& chemistry,
                     const ResidueUse& use) {
  return GapCapper(atoms, records, chemistry, use).cap();
}

}  // namespace ionwell
