// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/stages.hpp"
#include "core/structure.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"
#include "potential/request/source_options.hpp"
#include "solvation/ions/salt.hpp"
#include "structures/molecules/system.hpp"

/// Ions that are placed where crystals have them, with their waters, before a box is filled with water.
namespace ionwell {

/// What to put around ions at sites: each of `requests` is NAME[:N] of one of them. The waters have the
/// geometry of the box's model, or TIP3P's where that has more than three sites. Throws UsageError for ions
/// that are not at sites.
HydrationOptions shells_at_sites(const std::vector<std::string>& requests,
                                 const std::vector<IonRequest>& at_sites, const std::string& water_model);

/// What is placed at sites, and how.
struct SiteStage {
  SiteOptions sites;
  std::vector<IonRequest> ions;
  HydrationOptions hydration;
  BackendOptions backend;
  FieldOptions field;
  std::string command;             // of the whole run
  std::vector<SaltRequest> salts;  // that come after it, in water
};

/// Places them around what acts, as a run of their own does; the structure must outlive the result. Throws as
/// `run`.
Result place_at_sites(const Structure& acting, const SiteStage& stage, Stages& stages,
                      const Backends& backends);

/// What to say where not all of them found room.
std::optional<std::string> too_few_at_sites(const Result& sites);

/// The ions as atoms that act, then the waters around them, shell by shell. Behind the atoms of a solute.
std::vector<Atom> atoms_at_sites(const Result& sites);

/// Brings ions and waters to where these atoms of them are now: atoms_at_sites that a box was made around.
void move_to(std::span<const Atom> atoms, Result& sites);

/// Takes the waters of the files out of `in_box`, which is by atom of the files, that stay without acting and
/// that ions at sites, or the waters around these, are too near to. Says how many. O(atoms).
std::int64_t take_out_waters_at_sites(const System& files, const Result& sites,
                                      std::vector<std::uint8_t>& in_box);

}  // namespace ionwell
