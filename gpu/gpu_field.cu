#include "gpu_field.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "device_buffer.hpp"
#include "direct.hpp"
#include "linear.hpp"
#include "mask.hpp"
#include "multilevel.hpp"
#include "potential/error_samples.hpp"
#include "search.hpp"
#include "spread.hpp"
#include "stage_timer.hpp"
#include "stream.hpp"

namespace ionwell::gpu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// As on the CPU: what is weaker at 1 A counts as no charge.
constexpr double smallest_potential_kT_e = 1e-12;

/// Host memory that the device writes to.
class PinnedResult {
 public:
  PinnedResult() {
    check(cudaHostAlloc(reinterpret_cast<void**>(&result_), sizeof(SearchResult), cudaHostAllocMapped),
          "allocating pinned memory");
    std::memset(static_cast<void*>(result_), 0, sizeof(SearchResult));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), result_, 0), "mapping pinned memory");
  }
  ~PinnedResult() { cudaFreeHost(result_); }
  PinnedResult(const PinnedResult&) = delete;
  PinnedResult& operator=(const PinnedResult&) = delete;

  SearchResult* on_device() { return device_; }
  const SearchResult& operator*() const { return *result_; }

 private:
  SearchResult* result_ = nullptr;
  SearchResult* device_ = nullptr;
};

double tie_tolerance_kT(double energy_kT) {
  return 1e-11 * std::abs(energy_kT);
}

/// The field behind make_gpu_field: values by block in device memory, from the first sum to the last ion.
class GpuField final : public PotentialField {
 public:
  GpuField(const LatticeGeometry& lattice, const PairPotential& pair, const FieldOptions& options,
           std::vector<int> devices)
      : grid_(lattice),
        pair_(pair),
        options_(options),
        devices_(std::move(devices)),
        device_(use(devices_.front())),
        mask_(grid_, stream_) {}

  ~GpuField() override { cudaSetDevice(device_); }

  const LatticeGeometry& lattice() const override { return grid_.lattice; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override {
    use(device_);
    StageTimer timer("exclusion", stream_);
    mask_.exclude(centres, distance_A * distance_A + 5e-7, stream_);
    timer.stop();
    excluded_centres_.assign(centres.begin(), centres.end());
    exclusion_A_ = distance_A;
    searchable_ = false;
  }

  void add_direct(std::span<const PointCharge> charges, const Progress& progress) override {
    use(device_);
    make_blocks();
    const std::size_t before = charge_count_;
    add_solute(charges);
    StageTimer timer("potential", stream_);
    check(cudaStreamSynchronize(stream_), "filling the lattice");  // the others read it, too
    spread_direct(arrays_.blocks, devices_, charges_.data() + before, std::int64_t(charge_count_ - before),
                  pair_, stream_, progress);
    timer.stop();
    if (!options_.every_point) prepare_search();
  }

  void add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                      const Progress& progress) override {
    use(device_);
    const MultilevelPlan plan = multilevel_plan(grid_.lattice, charges, pair_, options);
    make_blocks();
    add_solute(charges);
    const bool short_range = options_.every_point || clearance_A_ < options.cutoff_A;
    StageTimer timer("potential", stream_);
    gpu::add_multilevel(arrays_.blocks, plan, charges, short_range, stream_, nullptr);
    timer.stop();
    arrays_.multilevel = true;
    if (progress) progress(1.0);
    if (!options_.every_point) prepare_search();
  }

  std::optional<Site> lowest_energy_point(double charge_e) override {
    if (!(std::isfinite(charge_e) && charge_e != 0.0))
      fail("an ion of charge ", charge_e, " e has no lowest point");
    use(device_);
    if (!searchable_) prepare_search();
    for (;;) {
      const SearchResult& result = search(charge_e);
      switch (result.status) {
        case SearchStatus::found:
          statistics_.candidates += result.exact_sums;
          statistics_.exact_sums += result.exact_sums;
          return Site{result.index, result.potential_kT_e};
        case SearchStatus::nothing_available:
          return std::nullopt;
        case SearchStatus::crowded:
          sum_directly(result.crowded);
          break;
        case SearchStatus::many_candidates:
          if (result.candidates <= arrays_.candidate_room) return choose(charge_e, result.candidates);
          candidates_ = {};
          candidates_ = DeviceBuffer<Candidate>(result.candidates + result.candidates / 4, "candidates");
          arrays_.candidates = candidates_.data();
          arrays_.candidate_room = std::uint32_t(candidates_.size());
      }
    }
  }

  void add_ion(const PointCharge& ion, double distance_A) override {
    use(device_);
    make_ion_room();
    const double limit_A2 = std::nextafter(distance_A * distance_A - 5e-7, -infinity);
    new_ion_ = {ion, limit_A2, limit_A2 > 0.0 ? float(std::sqrt(limit_A2) * (1 - 1e-6)) : 0.0f};
    if (!(pair_.prefactor * std::abs(ion.charge_e) >= smallest_potential_kT_e))
      new_ion_->charge.charge_e = 0.0;
    ++ions_;
  }

  std::vector<float> values() override {
    use(device_);
    make_blocks();
    catch_up();
    bring_all_up_to_date(arrays_, ions_, stream_);
    if (searchable_) bounds_contain_all();
    StageTimer timer("map to host", stream_);
    std::vector<float> result(std::size_t(grid_.lattice.size()));
    copy_linear(arrays_.blocks, slot_of_.data(), result, stream_);
    timer.stop();
    return result;
  }

  FieldStatistics statistics() const override { return statistics_; }

 private:
  static int use(int device) {
    check(cudaSetDevice(device), "taking the device");
    return device;
  }

  /// Blocks that need values, and what is kept of each.
  void make_blocks() {
    if (made_) return;
    made_ = true;
    numbers_ = mask_.list_blocks(options_.every_point, slot_of_, stream_);
    const std::int64_t count = std::int64_t(numbers_.size());
    require_device_memory(count);
    values_ = DeviceBuffer<float>(std::size_t(block_points * count), "the lattice's values");
    values_.zero(stream_);
    arrays_.blocks = {grid_.lattice, numbers_.data(), count, values_.data()};
    arrays_.pair = pair_;
    arrays_.block_counts = grid_.counts;
    arrays_.slot_of = slot_of_.data();
    arrays_.mask = mask_.words();
    arrays_.refine = options_.refine;
    make_ion_room();
  }

  void require_device_memory(std::int64_t blocks) const {
    std::size_t free_bytes = 0, total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "looking at the device's memory");
    const double needed = double(blocks) * double(bytes_per_block);
    if (needed <= double(free_bytes)) return;
    fail("a lattice with ", double(blocks) * block_points, " points to compute needs ", needed / 1e9,
         " GB on the GPU, but only ", double(free_bytes) / 1e9, " of ", double(total_bytes) / 1e9,
         " GB are free; use a larger --spacing, a smaller --border, another device (--devices) or --backend "
         "cpu");
  }

  /// What a search needs beside the values.
  void make_search_arrays() {
    if (arrays_.parts > 0) return;
    const std::int64_t count = arrays_.blocks.count;
    arrays_.parts = search_parts(pair_.kind);
    arrays_.cubes_per_part =
        ((count + arrays_.parts - 1) / arrays_.parts + tile_cubes - 1) / tile_cubes * tile_cubes;
    const std::size_t cubes = std::size_t(arrays_.cubes_per_part * arrays_.parts);
    cubes_ = DeviceBuffer<float>(cubes * kept_members, "the bounds");
    for (std::size_t m = 0; m < kept_members; ++m) arrays_.cubes.member[m] = cubes_.data() + m * cubes;
    bound_ = DeviceBuffer<float>(cubes, "the bounds");
    opened_ = DeviceBuffer<std::uint32_t>(cubes, "the bounds");
    tiles_ = DeviceBuffer<Tile>(cubes / tile_cubes, "the bounds");
    tile_bound_ = DeviceBuffer<float>(cubes / tile_cubes, "the bounds");
    error_ = DeviceBuffer<float>(std::size_t(count), "the bounds");
    ions_in_ = DeviceBuffer<std::uint32_t>(std::size_t(count), "the bounds");
    direct_ = DeviceBuffer<std::uint8_t>(std::size_t(count), "the bounds");
    crowded_ = DeviceBuffer<std::int32_t>(std::size_t(count), "the bounds");
    constexpr std::size_t usual_candidates = 65536;
    candidates_ = DeviceBuffer<Candidate>(usual_candidates, "candidates");
    published_ = DeviceBuffer<Published>(std::size_t(2 * arrays_.parts));
    partial_ = DeviceBuffer<double>(std::size_t(2 * exact_parts * exact_at_once));
    control_ = DeviceBuffer<SearchControl>(1);
    for (DeviceBuffer<float>* buffer : {&cubes_, &bound_, &tile_bound_, &error_}) buffer->zero(stream_);
    ions_in_.zero(stream_);
    direct_.zero(stream_);
    control_.zero(stream_);
    const Vec3<double> half = (0.5 * double(block_edge - 1)) * grid_.lattice.spacing_A;
    const float half_A[3] = {float(half.x), float(half.y), float(half.z)};
    arrays_.frame = widen_frame<void>(pair_, half_A);
    arrays_.bound_kT = bound_.data();
    arrays_.opened = opened_.data();
    arrays_.tiles = tiles_.data();
    arrays_.tile_bound_kT = tile_bound_.data();
    arrays_.error_kT_e = error_.data();
    arrays_.ions_in = ions_in_.data();
    arrays_.direct = direct_.data();
    arrays_.candidates = candidates_.data();
    arrays_.candidate_room = std::uint32_t(candidates_.size());
    arrays_.crowded_slots = crowded_.data();
    arrays_.published = published_.data();
    arrays_.partial = partial_.data();
    arrays_.control = control_.data();
    place_cubes(arrays_, stream_);
  }

  /// Notes charges that the values are about to contain.
  void add_solute(std::span<const PointCharge> charges) {
    std::vector<PointCharge> kept;
    for (const PointCharge& q : charges)
      if (pair_.prefactor * std::abs(q.charge_e) >= smallest_potential_kT_e) kept.push_back(q);
    if (charge_count_ + kept.size() > charges_.size()) {
      DeviceBuffer<PointCharge> larger(charge_count_ + kept.size(), "the charges");
      if (charge_count_ > 0)
        check(cudaMemcpyAsync(larger.data(), charges_.data(), charge_count_ * sizeof(PointCharge),
                              cudaMemcpyDeviceToDevice, stream_),
              "moving charges");
      check(cudaStreamSynchronize(stream_), "moving charges");
      charges_ = std::move(larger);
    }
    charges_.copy_from(kept, stream_, charge_count_);
    check(cudaStreamSynchronize(stream_), "copying charges");
    charge_count_ += kept.size();
    arrays_.charges = charges_.data();
    arrays_.charge_count = std::int64_t(charge_count_);
    clearance_A_ = std::min(clearance_A_, clearance_A(charges, excluded_centres_, exclusion_A_));
    if (direct_.size() > 0) direct_.zero(stream_);
    solute_error_known_ = searchable_ = false;
  }

  /// Room for one more ion in the device's list, which gets the one that waits outside.
  void make_ion_room() {
    upload_ion();
    if (ions_ < ion_charges_.size()) return;
    const std::size_t room = std::max<std::size_t>(4096, 2 * ion_charges_.size());
    const auto grow = [&](auto& buffer) {
      auto larger = std::remove_reference_t<decltype(buffer)>(room, "the ions");
      if (ions_ > 0)
        check(cudaMemcpyAsync(larger.data(), buffer.data(), ions_ * sizeof(*buffer.data()),
                              cudaMemcpyDeviceToDevice, stream_),
              "moving ions");
      check(cudaStreamSynchronize(stream_), "moving ions");
      buffer = std::move(larger);
    };
    grow(ion_charges_);
    grow(ion_limits_);
    grow(ion_clearances_);
    arrays_.ions = ion_charges_.data();
    arrays_.ion_limit_A2 = ion_limits_.data();
    arrays_.ion_clearance_A = ion_clearances_.data();
  }

  /// The newest ion waits for the next search to take it along.
  void upload_ion() {
    if (!new_ion_) return;
    ion_charges_.copy_from({&new_ion_->charge, 1}, stream_, ions_ - 1);
    ion_limits_.copy_from({&new_ion_->limit_A2, 1}, stream_, ions_ - 1);
    ion_clearances_.copy_from({&new_ion_->clearance_A, 1}, stream_, ions_ - 1);
    check(cudaStreamSynchronize(stream_), "copying an ion");
    new_ion_.reset();
  }

  /// Everything about ions that other kernels than the search expect to find done.
  void catch_up() {
    make_search_arrays();
    upload_ion();
    exclude_ions(arrays_, masked_, ions_, stream_);
    masked_ = ions_;
  }

  void prepare_search() {
    make_blocks();
    catch_up();
    StageTimer timer("bounds", stream_);
    bring_all_up_to_date(arrays_, ions_, stream_);
    if (!solute_error_known_) {
      if (arrays_.multilevel) measure_error_of_solute();
      if (!arrays_.multilevel || clearance_A_ < beside_a_charge_A)
        add_rounding_errors(arrays_, nullptr, arrays_.blocks.count, clearance_A_, stream_);
      solute_error_known_ = true;
    }
    tighten_all(arrays_, stream_);
    timer.stop();
    bounds_contain_all();
    searchable_ = true;
    if (searched_) return;
    statistics_.available_points = mask_.available_points(stream_);
    const std::vector<std::uint16_t> counts = available_counts();
    statistics_.blocks = std::count_if(counts.begin(), counts.end(), [](std::uint16_t n) { return n > 0; });
  }

  /// After all blocks were tightened: the next search begins with all of them.
  void bounds_contain_all() {
    reset_tiles(arrays_, ions_, stream_);
    bounded_ = ions_;
    guessed_for_e_ = 0.0;
  }

  /// Ions of one kind get less and less: the next one's energy is a little above the last one's.
  double guess_kT(double charge_e) const {
    constexpr double more = 0.02, least_more_kT = 1.0;
    if (charge_e != guessed_for_e_) return infinity;
    return last_upper_kT_ + more * std::abs(last_upper_kT_) + least_more_kT;
  }

  std::vector<std::uint16_t> available_counts() {
    DeviceBuffer<std::uint16_t> counts(std::size_t(arrays_.blocks.count));
    count_available(arrays_, counts.data(), stream_);
    return counts.to_host(stream_);
  }

  /// For a multilevel sum: the largest |value - exact| at sample points, with room for those not looked at.
  void measure_error_of_solute() {
    const std::vector<std::uint16_t> counts = available_counts();
    std::vector<std::size_t> beside, all;
    for (std::size_t slot = 0; slot < counts.size(); ++slot) {
      if (counts[slot] == 0) continue;
      all.push_back(slot);
      if (counts[slot] < block_points) beside.push_back(slot);
    }
    std::vector<Sample> samples;
    for (const ErrorSample& s : error_samples(charge_count_, beside, all))
      samples.push_back({std::int32_t(s.slot), s.point});
    if (samples.empty()) return;
    DeviceBuffer<Sample> samples_d(samples, stream_);
    DeviceBuffer<std::int64_t> index(samples.size());
    DeviceBuffer<float> values(samples.size());
    DeviceBuffer<double> exact(samples.size());
    look_at_samples(arrays_, samples_d.data(), std::ssize(samples), index.data(), values.data(), stream_);
    sum_exactly(arrays_, index.data(), std::ssize(samples), ions_, exact.data(), stream_);
    const std::vector<float> value = values.to_host(stream_);
    const std::vector<double> reference = exact.to_host(stream_);
    double largest = 0.0;
    for (std::size_t n = 0; n < value.size(); ++n)
      largest = std::max(largest, std::abs(reference[n] - double(value[n])));
    statistics_.measured_error_kT_e = largest;
    add_error(arrays_, float(room_for_unseen_errors * largest), stream_);
  }

  const SearchResult& search(double charge_e) {
    SearchTask task{.charge_e = charge_e,
                    .masked = masked_,
                    .bounded = bounded_,
                    .ions = ions_,
                    .new_ion = new_ion_ ? ions_ - 1 : ions_,
                    .ion = new_ion_.value_or(IonOnDevice{}),
                    .guess_kT = guess_kT(charge_e),
                    .sequence = ++sequence_};
    launch_search(arrays_, task, result_.on_device(), stream_);
    masked_ = bounded_ = ions_;
    new_ion_.reset();
    searched_ = true;
    // The result arrives in host memory; now and then look whether it can still come.
    constexpr std::int64_t patience = 200000;
    for (std::int64_t looks = 1; (*result_).sequence != sequence_; ++looks) {
      if (looks % patience != 0) continue;
      const cudaError_t status = cudaStreamQuery(stream_);
      if (status == cudaErrorNotReady) continue;
      check(status, "the search for the lowest point");
      if ((*result_).sequence != sequence_)
        fail("the GPU's search ended without a result; use --backend cpu");
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    const SearchResult& result = *result_;
    statistics_.blocks_updated += result.blocks_updated;
    note_stage_time("placement", result.device_s);
    guessed_for_e_ = charge_e;
    last_upper_kT_ = result.upper_kT;
    return result;
  }

  /// Replaces crowded blocks' multilevel values by direct sums, whose error is far smaller.
  void sum_directly(std::uint32_t count) {
    forget_values(arrays_, crowded_.data(), count, stream_);
    gpu::add_direct(arrays_.blocks, crowded_.data(), count, charges_.data(), std::int64_t(charge_count_),
                    pair_, stream_);
    add_rounding_errors(arrays_, crowded_.data(), count, clearance_A_, stream_);
    gpu::bring_up_to_date(arrays_, crowded_.data(), count, ions_, stream_);
    statistics_.blocks_updated += count;
  }

  /// The candidate of lowest exact energy, when there are too many for the search kernel.
  Site choose(double charge_e, std::uint32_t count) {
    std::vector<Candidate> candidates(count);
    candidates_.copy_to(candidates, stream_);
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.energy_kT != b.energy_kT ? a.energy_kT < b.energy_kT : a.index < b.index;
    });
    if (!options_.refine) return {candidates.front().index, candidates.front().energy_kT / charge_e};
    constexpr std::size_t at_once = 8192;
    DeviceBuffer<std::int64_t> index_d(std::min<std::size_t>(count, at_once));
    DeviceBuffer<double> exact_d(index_d.size());
    double lowest_kT = infinity;
    std::vector<Candidate> summed;
    for (std::size_t next = 0; next < candidates.size();) {
      std::vector<std::int64_t> index;
      for (; next < candidates.size() && index.size() < index_d.size(); ++next)
        if (candidates[next].energy_kT - candidates[next].error_kT <= lowest_kT + tie_tolerance_kT(lowest_kT))
          index.push_back(candidates[next].index);
      if (index.empty()) break;
      index_d.copy_from(index, stream_);
      sum_exactly(arrays_, index_d.data(), std::ssize(index), ions_, exact_d.data(), stream_);
      std::vector<double> exact(index.size());
      exact_d.copy_to(exact, stream_);
      for (std::size_t n = 0; n < index.size(); ++n) {
        summed.push_back({charge_e * exact[n], 0.0, index[n]});
        lowest_kT = std::min(lowest_kT, summed.back().energy_kT);
      }
    }
    Candidate best{infinity, 0.0, std::numeric_limits<std::int64_t>::max()};
    for (const Candidate& c : summed)
      if (c.energy_kT <= lowest_kT + tie_tolerance_kT(lowest_kT) && c.index < best.index) best = c;
    statistics_.candidates += std::ssize(summed);
    statistics_.exact_sums += std::ssize(summed);
    return {best.index, best.energy_kT / charge_e};
  }

  static constexpr std::size_t kept_members = std::size_t(CubeMember::lowest);  // results are not kept

 public:
  static constexpr std::int64_t bytes_per_block =
      std::int64_t(sizeof(float)) * (block_points + std::int64_t(kept_members) + 3) + 2 * 4 + 1 + 4;

 private:
  BlockGrid grid_;
  PairPotential pair_;
  FieldOptions options_;
  std::vector<int> devices_;  // the field is on the first
  int device_;
  Stream stream_;
  DeviceMask mask_;
  DeviceBuffer<std::int32_t> slot_of_, numbers_;
  DeviceBuffer<float> values_;
  DeviceBuffer<PointCharge> charges_;
  std::size_t charge_count_ = 0;
  DeviceBuffer<PointCharge> ion_charges_;
  DeviceBuffer<double> ion_limits_;
  DeviceBuffer<float> ion_clearances_;
  DeviceBuffer<float> cubes_, bound_, error_;
  DeviceBuffer<std::uint32_t> opened_, ions_in_;
  DeviceBuffer<Tile> tiles_;
  DeviceBuffer<float> tile_bound_;
  DeviceBuffer<std::uint8_t> direct_;
  DeviceBuffer<std::int32_t> crowded_;
  DeviceBuffer<Candidate> candidates_;
  DeviceBuffer<Published> published_;
  DeviceBuffer<double> partial_;
  DeviceBuffer<SearchControl> control_;
  PinnedResult result_;
  SearchArrays arrays_{};
  bool made_ = false;
  std::vector<Vec3<double>> excluded_centres_;
  double exclusion_A_ = 0.0;
  double clearance_A_ = infinity;                      // from any solute charge to any available point
  std::optional<IonOnDevice> new_ion_;                 // the last of ions_, not in device memory yet
  std::uint32_t ions_ = 0, masked_ = 0, bounded_ = 0;  // all; those in the mask; those in the bounds
  bool solute_error_known_ = false, searchable_ = false, searched_ = false;
  double guessed_for_e_ = 0.0, last_upper_kT_ = 0.0;  // charge and energy of the last search
  std::uint32_t sequence_ = 0;
  FieldStatistics statistics_;
};

}  // namespace
}  // namespace ionwell::gpu

namespace ionwell {

std::int64_t gpu_field_bytes(const LatticeGeometry& lattice, std::size_t charges) {
  constexpr std::int64_t for_every_block = gpu::GpuField::bytes_per_block + 64 + 2 * 4;
  constexpr std::int64_t bytes_per_charge =
      120;  // with the atoms' positions and the cells that they are sorted into
  return BlockGrid(lattice).size() * for_every_block + std::int64_t(charges) * bytes_per_charge;
}

std::unique_ptr<PotentialField> make_gpu_field(const LatticeGeometry& lattice, const PairPotential& pair,
                                               const FieldOptions& options, const std::vector<int>& devices) {
  const GpuDevices& known = gpu_devices();
  if (known.devices.empty()) fail(known.problem, "; use --backend cpu");
  for (const int device : devices)
    if (std::none_of(known.devices.begin(), known.devices.end(),
                     [&](const GpuDevice& d) { return d.number == device; }))
      fail<UsageError>("there is no GPU ", device, "; 'ionwell info' lists those that there are");
  return std::make_unique<gpu::GpuField>(
      lattice, pair, options, devices.empty() ? std::vector{known.devices.front().number} : devices);
}

}  // namespace ionwell
