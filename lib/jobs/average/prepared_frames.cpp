// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/prepared_frames.hpp"

#include <algorithm>
#include <limits>

#include "compute/checkpoint/fingerprint.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "files/input_file.hpp"
#include "jobs/average/superposition.hpp"
#include "structures/formats/trajectory.hpp"
#include "structures/selection/selection.hpp"

namespace ionwell {
namespace {

std::vector<Vec3<double>> picked(const std::vector<Vec3<double>>& all,
                                 const std::vector<std::uint32_t>& which) {
  std::vector<Vec3<double>> some;
  some.reserve(which.size());
  for (const std::uint32_t n : which) some.push_back(all[n]);
  return some;
}

CellVectors turned_cell(const CellVectors& cell, const Rotation& rotation) {
  return {rotation(cell.a), rotation(cell.b), rotation(cell.c)};
}

constexpr std::size_t fewest_fitted = 3;

}  // namespace

FramePreparation::FramePreparation(const TrajectoryInput& input, const FrameOptions& options,
                                   Boundary boundary)
    : input_(input), options_(options), boundary_(boundary), structure_(input.input.system.acting()) {
  const System& system = input.input.system;
  const std::vector<Atom> atoms = system.atoms_of_files();
  std::vector<std::uint8_t> is_fitted(atoms.size(), 0);
  if (!options.fit.empty()) is_fitted = select(atoms, options.fit);
  const std::vector<std::uint8_t> acts = system.has_role({AtomRole::acts});
  std::vector<Atom> tracked_atoms;
  std::vector<std::uint8_t> is_tracked(atoms.size(), 0);
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const bool is_source = acts.empty() || acts[n];
    if (!is_source && !is_fitted[n]) continue;
    if (is_source) sources_.push_back(std::uint32_t(tracked_.size()));
    if (is_fitted[n]) fit_atoms_.push_back(std::uint32_t(tracked_.size()));
    is_tracked[n] = 1;
    tracked_.push_back(std::uint32_t(n));
    tracked_atoms.push_back(atoms[n]);
  }
  if (!options.fit.empty() && fit_atoms_.size() < fewest_fitted)
    fail<UsageError>("--fit selects ", count_of(std::ssize(fit_atoms_), "atom"), ", but a fit needs ",
                     fewest_fitted, " or more that are not on one line; select more");
  if (options.reference && options.fit.empty())
    fail<UsageError>(
        "--reference needs --fit, which selects the atoms to fit; add it, for example --fit 'name CA or name "
        "P'");
  const bool is_of_use = boundary == Boundary::open || !options.fit.empty();
  const bool is_simulated = input.first.cell && input.first.cell->kind == CellKind::simulation;
  if (is_simulated && is_of_use && !options.keeps_images)
    links_.emplace(tracked_atoms, PeriodicCell(*input.first.cell), links_of_kept(system.links(), is_tracked));
  if (!fit_atoms_.empty()) take_reference(input.first);
  Coordinates first_frame = input.first;
  const Placed first = place(first_frame);
  for (std::size_t n = 0; n < sources_.size(); ++n)
    structure_.atoms[n].position_A = first.positions_A[sources_[n]];
  fingerprint_ = fingerprint_of(input, tracked_atoms);
}

std::string FramePreparation::fingerprint_of(const TrajectoryInput& input,
                                             std::span<const Atom> tracked_atoms) const {
  Fingerprint fingerprint;
  const auto add = [&](const Vec3<double>& p) {
    for (const double x : {p.x, p.y, p.z}) fingerprint.add(x);
  };
  for (const std::span<const Atom> atoms : {tracked_atoms, std::span<const Atom>(structure_.atoms)})
    fingerprint.add(ionwell::fingerprint_of(atoms));
  for (const std::uint32_t atom : tracked_) fingerprint.add(std::int64_t(atom));
  for (const Vec3<double>& p : reference_A_) add(p);
  if (input.first.cell) fingerprint.add(ionwell::fingerprint_of(*input.first.cell));
  // Runs that began at the same positions differ in the end.
  try {
    const RawFrame last = read(frames() - 1);
    for (const Vec3<double>& p : last.coordinates.positions_A) add(p);
  } catch (const Error&) {  // the run says so when it is there
  }
  return fingerprint.text();
}

void FramePreparation::take_reference(const Coordinates& first) {
  if (options_.reference) {
    const Trajectory file({*options_.reference});
    const Coordinates reference = file.read(0);
    if (reference.positions_A.size() != first.positions_A.size())
      fail(*options_.reference, ": has ", count_of(std::ssize(reference.positions_A), "atom"),
           ", and the trajectory has ", grouped(std::ssize(first.positions_A)),
           "; give a --reference of the same system");
    reference_A_ = picked(picked(reference.positions_A, tracked_), fit_atoms_);
  } else {
    std::vector<Vec3<double>> positions_A = picked(first.positions_A, tracked_);
    if (links_) links_->make_whole(positions_A, PeriodicCell(*first.cell));
    reference_A_ = picked(positions_A, fit_atoms_);
  }
  if (!superpose(reference_A_, reference_A_).is_determined)
    fail<UsageError>(
        "the ", count_of(std::ssize(fit_atoms_), "atom"),
        " of --fit are on one line, so the rotation around that line is not determined; select others");
}

FramePreparation::Placed FramePreparation::place(Coordinates& frame) const {
  Placed placed;
  if (tracked_.size() == frame.positions_A.size())  // in their order
    placed.positions_A = std::move(frame.positions_A);
  else
    placed.positions_A = picked(frame.positions_A, tracked_);
  placed.cell = frame.cell;
  if (links_ && frame.cell)
    placed.was_made_whole = links_->make_whole(placed.positions_A, PeriodicCell(*placed.cell)) > 0;
  if (fit_atoms_.empty()) return placed;
  const Superposition fit = superpose(picked(placed.positions_A, fit_atoms_), reference_A_);
  if (!fit.is_determined)
    fail("its atoms of --fit do not determine the rotation onto the reference; select others");
  for (Vec3<double>& p : placed.positions_A) p = fit(p);
  if (placed.cell) placed.cell = turned_cell(*placed.cell, fit.rotation);
  placed.rmsd_A = fit.rmsd_A;
  return placed;
}

RawFrame FramePreparation::read(std::int64_t number) const {
  RawFrame result{.number = number, .coordinates = {}, .problem = {}};
  const std::int64_t index = input_.frames.index(number);
  try {
    Coordinates room;
    room.positions_A = spare_positions_.take();
    result.coordinates = input_.trajectory->read(index, std::move(room));
    const Coordinates& frame = result.coordinates;
    if (frame.positions_A.size() != input_.first.positions_A.size())
      fail(input_.trajectory->place_of(index), ": has ", count_of(std::ssize(frame.positions_A), "atom"),
           ", and ", input_.input.system.acting().path, " has ",
           grouped(std::ssize(input_.first.positions_A)),
           "; give the trajectory that belongs to this topology");
    if (boundary_ == Boundary::periodic && !frame.cell)
      fail(input_.trajectory->place_of(index),
           ": has no cell, but periodic boundaries need one; use --boundary open");
  } catch (const Error& error) {
    result.problem = problem_of(error);
  }
  return result;
}

std::string FramePreparation::problem_of(const Error& error) const {
  if (!options_.skips_bad) fail(error.what(), "; --skip-bad-frames skips it");
  return error.what();
}

PreparedFrame FramePreparation::prepare(RawFrame&& frame) const {
  PreparedFrame result{.number = frame.number};
  result.problem = std::move(frame.problem);
  if (!result.problem.empty()) return result;
  Placed placed;
  try {
    placed = place(frame.coordinates);
  } catch (const Error& error) {
    const std::int64_t index = input_.frames.index(frame.number);
    result.problem = problem_of(Error(input_.trajectory->place_of(index) + ": " + error.what()));
    return result;
  }
  result.cell = placed.cell;
  result.rmsd_A = placed.rmsd_A;
  result.was_made_whole = placed.was_made_whole;
  result.box = {placed.positions_A[sources_.front()], placed.positions_A[sources_.front()]};
  result.charges = spare_charges_.take();
  result.charges.clear();
  result.charges.reserve(sources_.size());
  for (std::size_t n = 0; n < sources_.size(); ++n) {
    const Vec3<double>& position_A = placed.positions_A[sources_[n]];
    result.box = extended(result.box, position_A);
    if (const double charge_e = structure_.atoms[n].charge_e; charge_e != 0.0)
      result.charges.push_back({position_A, charge_e});
  }
  for (std::vector<Vec3<double>>* const done : {&frame.coordinates.positions_A, &placed.positions_A})
    if (done->capacity() >= input_.first.positions_A.size()) spare_positions_.give(std::move(*done));
  return result;
}

}  // namespace ionwell
