// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_worker.hpp"

#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <thread>

#include "compute/cost_model.hpp"
#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "compute/ranks/rank_equations.hpp"
#include "compute/ranks/rank_orders.hpp"
#include "compute/ranks/rank_samples.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "compute/ranks/rank_slab.hpp"
#include "compute/ranks/rank_sums.hpp"
#include "compute/ranks/ranked_lattice.hpp"
#include "placement/host_field.hpp"

namespace ionwell {
namespace {

class RankWorker {
 public:
  RankWorker(RankGroup& group, const Backends& backends)
      : group_(group), backends_(backends), equations_(group, backends) {}

  void follow() {
    for (;;) {
      RankOrder order;
      group_.broadcast(bytes_of(order));
      payload_.resize(std::size_t(order.payload_bytes));
      if (!payload_.empty()) group_.broadcast(payload_);
      if (order.task == RankTask::leave) return;
      if (!follow_in_any_case(order)) try_to_follow(order);
    }
  }

 private:
  /// The first rank wants no more of what was ordered.
  struct Stopped {};

  /// What is done whatever has failed before; false for another task.
  bool follow_in_any_case(const RankOrder& order) {
    switch (order.task) {
      case RankTask::send_part:
        send_part(MessageReader(payload_).value<LatticePart>());
        return true;
      case RankTask::drop_values:
        free_values();
        return true;
      case RankTask::take_watched:
        sums_.value().watch({});
        return true;
      case RankTask::take_stop:
        if (group_.rank() < order.index && !has_word_to_stop_) take_word_to_stop();
        return true;
      case RankTask::send_sums:
        sums_.value().copy_to_first(FrameSum(order.index), {});
        return true;
      case RankTask::take_sums:
        sums_.value().copy_from_first(FrameSum(order.index), {});
        return true;
      case RankTask::equation_step:
        follow_equation(order);
        return true;
      case RankTask::drop_lattice:
        drop_lattice();
        return true;
      case RankTask::drop:
        drop();
        return true;
      default:
        return false;
    }
  }

  void take_word_to_stop() {
    std::byte word{};
    group_.receive(bytes_of(word), 0);
    has_word_to_stop_ = true;
  }

  void stop_if_told() {
    if (std::this_thread::get_id() != thread_ || has_word_to_stop_ || !group_.has_message(0)) return;
    take_word_to_stop();
    throw Stopped();
  }

  /// Does what was ordered, unless an earlier order has failed, and answers if an answer is expected.
  void try_to_follow(const RankOrder& order) {
    RankReply reply;
    MessageWriter text;
    bool is_stopped = false;
    if (order.task == RankTask::make_lattice) drop_lattice();
    if (order.task == RankTask::make_sums || order.task == RankTask::make_samples) drop();
    if (order.task == RankTask::fill) receive_potential();
    if (order.task == RankTask::sum_frames) receive_frames(order);
    if (!failure_) {
      try {
        reply = done(order, text);
      } catch (const Stopped&) {
        is_stopped = true;
      } catch (...) {
        failure_ = reason_of(std::current_exception());
      }
    }
    if (order.task == RankTask::exclude || order.task == RankTask::add_ion) return;
    if (failure_ || is_stopped) {
      reply = {.failed = 1};
      text = {};
      text(failure_.value_or("the first rank told it to stop"), group_.host());
    }
    answer(reply, text);
  }

  void answer(RankReply reply, MessageWriter& text) {
    reply.rank = group_.rank();
    reply.text_bytes = std::ssize(text.bytes());
    group_.gather(bytes_of(reply), {});
    if (reply.text_bytes > 0) group_.send(text.bytes(), 0);
  }

  static std::string reason_of(const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
      return "there is not enough memory; use a larger --spacing or a smaller --border, or more machines";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  void follow_equation(const RankOrder& order) {
    RankReply reply;
    MessageWriter text;
    try {
      equations_.follow(order, payload_);
    } catch (const AgreedFailure& failure) {
      reply.failed = failure.why != nullptr ? 1 : 2;
      if (failure.why != nullptr) text(reason_of(failure.why), group_.host());
    }
    if (EquationStep(order.rank) != EquationStep::drop) answer(reply, text);
  }

  RankReply done(const RankOrder& order, MessageWriter& text) {
    switch (order.task) {
      case RankTask::make_lattice:
        make_lattice();
        text(group_.host(), slab_->computed_on());
        return {};
      case RankTask::exclude:
        slab_->exclude(MessageReader(payload_).value<std::vector<Vec3<double>>>(), order.distance_A);
        return {};
      case RankTask::fill:
        slab_->fill(solute_.potential, {});
        return {};
      case RankTask::search:
        return slab_->search(order.charge_e);
      case RankTask::exact_tie:
        if (order.rank != group_.rank()) return {};
        return {.tie_kT = slab_->exact_tie_kT(order.charge_e, order.index)};
      case RankTask::add_ion:
        slab_->add_ion(order.ion, order.distance_A);
        return {};
      case RankTask::copy_values:
        values_.resize(std::size_t(slab_->lattice().size()));
        slab_->copy_values(values_);
        return {};
      case RankTask::statistics:
        text(slab_->statistics());
        return {};
      case RankTask::make_sums:
        sums_.emplace(group_, sums_job());
        return {};
      case RankTask::sum_frames:
        if (group_.rank() < order.index) sums_->sum(frames_, [this](double) { stop_if_told(); });
        return {};
      case RankTask::add_sums:
        text(sums_->add(int(order.index), MessageReader(payload_).value<std::vector<SumStep>>()));
        return {};
      case RankTask::make_samples:
        samples_.emplace(group_, MessageReader(payload_).value<RankSampleJob>());
        return {};
      case RankTask::sample:
        samples_->follow(order, MessageReader(payload_), text);
        return {};
      default:
        break;
    }
    fail("this rank does not know the request of rank 0; do all ranks run the same program?");
  }

  static std::int64_t map_bytes(const LatticeGeometry& slab) {
    return slab.size() * std::int64_t{sizeof(double)};
  }

  void make_lattice() {
    const auto whole = MessageReader(payload_).value<RankLattice>();
    const LatticeGeometry slab = rank_slabs(whole.lattice, group_.count())[std::size_t(group_.rank())];
    const PlannedShare share = planned_share(&group_, whole.lattice, whole.backend, backends_);
    FieldDemand demand{.lattice = slab, .charges = whole.charges, .grid_bytes = whole.grid_bytes};
    demand.imported = whole.imported;
    constexpr double worth_it = std::numeric_limits<double>::infinity();  // as the first has decided
    const BackendChoice choice =
        slab.counts.z > 0 ? choose_backend(share.backend, worth_it, demand, backends_) : BackendChoice{};
    if (choice.owner == nullptr)
      require_memory(host_field_bytes(slab, whole.charges) + (whole.imported ? map_bytes(slab) : 0), slab);
    FieldOptions options = whole.options;
    options.threads = own_threads(options.threads);
    slab_.emplace(choice, slab, whole.pair, options);
  }

  /// With the threads of its own.
  RankSumsJob sums_job() const {
    auto job = MessageReader(payload_).value<RankSumsJob>();
    job.options.field.threads = own_threads(job.options.field.threads);
    return job;
  }

  /// In any case: the first has sent the values of a map, or will.
  void receive_potential() {
    solute_ = {};
    MessageReader message(payload_);
    read_potential(message, slab_ ? slab_->lattice().size() : 0, equations_.values_kT_e(), solute_);
    if (std::holds_alternative<ImportedMap>(solute_.potential))
      group_.receive(std::as_writable_bytes(std::span(solute_.values_kT_e)), 0);
  }

  /// In any case, as above.
  void receive_frames(const RankOrder& order) {
    has_word_to_stop_ = false;
    if (group_.rank() >= order.index) return;
    FrameBatchHeader header;
    group_.receive(bytes_of(header), 0);
    frames_.cell = header.cell;
    frames_.charges.resize(std::size_t(header.charges));
    group_.receive(std::as_writable_bytes(std::span(frames_.charges)), 0);
  }

  void send_part(const LatticePart& part) {
    const LatticePart mine = part_in_slab(slab_->lattice(), part);
    if (mine.size() == slab_->lattice().size()) return group_.send(std::as_bytes(std::span(values_)), 0);
    part_.resize(std::size_t(mine.size()));
    copy_part(slab_->lattice(), values_, mine, part_);
    group_.send(std::as_bytes(std::span(part_)), 0);
  }

  /// With their memory.
  void free_values() {
    values_ = std::vector<float>();
    part_ = std::vector<float>();
  }

  void drop_lattice() {
    free_values();
    slab_.reset();
    solute_ = {};
    failure_.reset();
  }

  void drop() {
    drop_lattice();
    equations_.clear();
    sums_.reset();
    samples_.reset();
    frames_ = {};
  }

  RankGroup& group_;
  const std::thread::id thread_ = std::this_thread::get_id();
  const Backends& backends_;
  bool has_word_to_stop_ = false;
  std::vector<std::byte> payload_;
  RankEquations equations_;
  ReceivedPotential solute_;
  std::optional<RankSlab> slab_;  // goes before what it was filled with
  std::optional<RankSums> sums_;
  std::optional<RankSamples> samples_;
  FrameBatch frames_;
  std::vector<float> values_, part_;
  std::optional<std::string> failure_;
};

}  // namespace

void follow_orders(RankGroup& group, const Backends& backends) {
  RankWorker(group, backends).follow();
}

void let_ranks_leave(RankGroup& group) {
  RankOrder order{.task = RankTask::leave};
  group.broadcast(bytes_of(order));
}

}  // namespace ionwell
