// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/ranked_equations.hpp"

#include <exception>

#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "compute/ranks/patient_wait.hpp"
#include "compute/ranks/rank_shares.hpp"

namespace ionwell {
namespace {

/// The others have been told not to go on, for what the callbacks threw.
struct SolveStopped {};

/// The callbacks of the first rank's solve; the others hear of what they throw at its next progress.
class SolveWatch {
 public:
  SolveWatch(RankGroup& group, const Progress& progress, const TellResidual& residual)
      : group_(group), progress_(progress), residual_(residual) {}

  void has(double residual) {
    watch([&] {
      if (residual_) residual_(residual);
    });
  }

  void at(double part) {
    watch([&] { progress_(part); });
    tell_to_go_on(group_, thrown_ == nullptr);
    if (thrown_ != nullptr) throw SolveStopped();
  }

  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  template <typename Call>
  void watch(const Call& call) {
    if (thrown_ != nullptr) return;
    try {
      call();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  RankGroup& group_;
  const Progress& progress_;
  const TellResidual& residual_;
  std::exception_ptr thrown_;
};

}  // namespace

RankedPb::RankedPb(std::shared_ptr<RankedEquations> equations, const OwnPbCalculation& calculation,
                   std::span<const Atom> atoms)
    : equations_(std::move(equations)), number_(equations_->made++) {
  RankEquation equation{calculation, {atoms.begin(), atoms.end()}, equations_->options};
  equation.backend.backend = equations_->owner != nullptr ? equations_->owner->kind() : Backend::cpu;
  together(
      EquationStep::make,
      [&] {
        all_or_none(group(), [&] { check_model(calculation.model, atoms, calculation.solver.threads); });
        part_ = make_part(group(), equation, equations_->owner, equations_->device, equations_->workspace);
      },
      equation);
}

RankedPb::~RankedPb() {
  if (!group().in_step) return;
  try {
    equations_->orders->give(
        {.task = RankTask::equation_step, .rank = std::int32_t(EquationStep::drop), .index = number_});
  } catch (const std::exception&) {
    group().in_step = false;  // found out at the end
  }
}

/// work(), while the others do the same step.
template <typename Work, typename... Values>
void RankedPb::together(EquationStep step, const Work& work, const Values&... values) {
  const PatientWait wait(group(), [] {});  // a user who wants to end is heard at the next progress
  RankOrders& orders = *equations_->orders;
  orders.give({.task = RankTask::equation_step, .rank = std::int32_t(step), .index = number_}, values...);
  try {
    work();
  } catch (const AgreedFailure& failure) {
    if (failure.why == nullptr) {
      orders.answers({});  // throws what another has to say
    } else {
      orders.hear_answers();
      std::rethrow_exception(failure.why);
    }
  } catch (...) {  // the others wait in the middle of it
    group().in_step = false;
    throw;
  }
  orders.answers({});
}

void RankedPb::add(std::span<const Atom> added) {
  together(
      EquationStep::add, [&] { part_->add(added); }, added);
}

PbConvergence RankedPb::solve(const Progress& progress, const TellResidual& residual) {
  PbConvergence convergence;
  SolveWatch watch(group(), progress, residual);
  std::exception_ptr unsolved;  // by all
  together(EquationStep::solve, [&] {
    try {
      convergence = part_->solve([&](double part) { watch.at(part); }, [&](double left) { watch.has(left); });
    } catch (const SolveStopped&) {
    } catch (const DeviceFailure&) {
      throw;
    } catch (const Interrupted&) {  // of the waiting for others
      throw;
    } catch (const Error&) {
      if (!group().in_step) throw;
      unsolved = std::current_exception();
    }
  });
  watch.rethrow();
  if (unsolved != nullptr) std::rethrow_exception(unsolved);
  return convergence;
}

double RankedPb::charge_energy_kT() {
  double energy_kT = 0.0;
  together(EquationStep::charge_energy, [&] { energy_kT = part_->charge_energy_kT(); });
  return energy_kT;
}

LargeArray<float> RankedPb::values(PbArray which) {
  LargeArray<float> all;
  together(
      EquationStep::values, [&] { all = part_->values(which); }, which);
  return all;
}

SolutePb::Solutions RankedPb::solutions_kT_e() {
  Solutions solutions_kT_e;
  together(EquationStep::solutions, [&] { solutions_kT_e = part_->solutions_kT_e(); });
  return solutions_kT_e;
}

void RankedPb::start_from(Solutions solutions_kT_e) {
  together(EquationStep::start_from, [&] { part_->start_from(std::move(solutions_kT_e)); });
}

std::span<const double> RankedPb::values_of(const LatticeGeometry& slab) {
  values_kT_e_ = {};
  together(EquationStep::values_in_slabs,
           [&] { values_kT_e_ = part_->values_in(rank_slabs(slab.whole(), group().count())); });
  return {values_kT_e_.data(), values_kT_e_.size()};
}

}  // namespace ionwell
