// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/backend_options.hpp"
#include "core/structure.hpp"
#include "parallel/progress.hpp"
#include "parallel/rank_group.hpp"
#include "placement/field.hpp"
#include "placement/field_options.hpp"

/// What a field can be computed on besides this host's processor, as the library sees it.
namespace ionwell {

enum class ForceInterpolation;
class DeviceChains;
class DevicePoints;
class FrameMaps;
class ImagePolynomials;
class InterpolatedForces;
class PbVectors;
class PeriodicCell;
class PointEstimates;
class SiteField;
class SolutePb;
struct ChainProblem;
struct DeviceChainRates;
struct DevicePointRates;
struct EstimatedPoints;
struct FrameMapsOptions;
struct OwnPbCalculation;
struct PbSystem;
struct PlaneShares;
struct PotentialOnLattice;
struct PeriodicSumOptions;
struct SiteProblem;

/// A device as its driver describes it.
struct Device {
  int number = 0;  // as users count: 0, 1 ...
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t free_bytes = 0;  // when it was started
};

/// What can be computed on, or why nothing can.
struct DeviceList {
  std::vector<Device> devices;
  std::vector<int> hidden;  // numbers of those that DeviceBackend::show_only has hidden
  std::string problem;      // why there is none: not built in, no driver, a driver too old, no device
};

/// Where the parts of a field are.
struct FieldLayout {
  LatticeOn lattice_on = LatticeOn::device;
  std::vector<int> devices;          // by number, the first one holds the lattice if one does
  std::vector<std::int64_t> planes;  // LatticeOn::devices: of blocks along z, for each device
  std::int64_t charges_at_once = 0;  // LatticeOn::host: that are on a device together; 0: all
  std::int64_t blocks_at_once = 0;   // that go through a device together; 0: the usual number
  std::string problem;               // why nothing fits; otherwise empty
};

/// How fast a potential is summed.
struct SummationRates {
  double direct_pairs_per_s;   // of a charge and a lattice point
  double multilevel_start_s;   // whatever the size: kernels, coarse grids, measuring the error
  double multilevel_charge_s;  // for each charge
  double multilevel_point_s;   // for each lattice point, with its share of the grids
};

/// What a field takes of a device's memory [bytes, or a number of blocks].
struct DeviceMemory {
  std::int64_t block_values;         // a block's values
  std::int64_t block_listed;         // for each block of the lattice, whether it has values or not
  std::int64_t block_search;         // what a search keeps of a block
  std::int64_t charge;               // a charge of the solute
  std::int64_t charge_sorting;       // more of it while a multilevel sum sorts the charges
  std::int64_t working;              // whatever the lattice
  std::int64_t lane_block;           // a block that goes through the device, with what belongs to it
  std::int64_t lanes;                // so many times over, so that copies and sums overlap
  std::int64_t usual_direct_blocks;  // that go through together: enough to fill the device
  std::int64_t usual_multilevel_blocks;
  double grid_point;              // a point of the finest grid of a multilevel sum, with all coarser ones
  std::int64_t grids;             // whatever their size
  std::int64_t grid_axis_points;  // for each lattice point along an axis
  std::int64_t site_point;        // a lattice point of a site model, beside its value and mask
  std::int64_t equation_point;    // a point of a Poisson-Boltzmann equation and all its coarser lattices
  std::int64_t equation_atom;     // an atom that such an equation's surface is made of
  std::int64_t equation;          // whatever its size
};

/// A backend: devices with memory of their own. The functions may be called by several threads at a time.
class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;

  /// What the user calls it; never automatic or cpu.
  virtual Backend kind() const = 0;

  /// Whether there could be a device. Starts nothing and takes no time.
  virtual bool may_have_device() const = 0;

  /// Looks for devices when it is called for the first time, which may take some tenths of a second. Starts
  /// none of them, and says nothing of free memory.
  virtual const DeviceList& devices() const = 0;

  /// Before devices() is called for the first time, of those that a program was told to use for its only run:
  /// hides all but these, if the driver says that each has so much memory free. Looking for devices takes
  /// less time then. Does nothing where any of this is not so.
  virtual void show_only(const std::vector<int>& /*numbers*/, std::int64_t /*free_bytes*/) const {}

  /// Starts one of `devices`, and sees how much memory is free and whether it runs this build's kernels.
  /// Throws Error, with the reason, when it cannot be used.
  virtual Device started(const Device& device) const = 0;

  /// Seconds that this process has spent in starting devices so far.
  virtual double start_up_s() const = 0;

  /// Seconds that a first start is expected to take, and that each further device adds to it: more while
  /// devices were not looked for.
  virtual double expected_start_s() const = 0;
  virtual double further_start_s() const = 0;

  virtual SummationRates rates(const PairPotential& pair) const = 0;
  virtual DeviceMemory memory() const = 0;

  /// A lattice laid out as `layout` says. The ions do not depend on it; values differ by fp32 rounding at
  /// most. Throws Error when a device is not there, or has not the memory.
  virtual std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout& layout,
                                                      const LatticeGeometry& lattice,
                                                      const PairPotential& pair,
                                                      const FieldOptions& options) const = 0;

  /// ionwell::periodic_potential, as exact as that, on one of `devices` by its number. Throws Error, with the
  /// reason, when the device cannot do it: it is not there, has not the memory, or a library is missing.
  virtual std::vector<double> periodic_potential(int device, const PeriodicCell& cell,
                                                 const PairPotential& pair,
                                                 std::span<const PointCharge> charges,
                                                 std::span<const Vec3<double>> points_A,
                                                 const PeriodicSumOptions& options,
                                                 const Progress& progress) const = 0;

  /// Estimates of the potential at scattered points where ions can go, on one of `devices` by its number;
  /// `images` is null where space does not repeat, and must stay where it is otherwise. It and its functions
  /// throw Error when the device is not there, has not the memory, or fails.
  virtual std::unique_ptr<PointEstimates> point_estimates(int device, const PairPotential& pair,
                                                          const ImagePolynomials* images,
                                                          const EstimatedPoints& points) const = 0;

  /// How fast sums at scattered points are.
  virtual DevicePointRates point_rates(const PairPotential& pair) const = 0;

  /// Charges for sums at scattered points, on one of `devices` by its number, of whose memory so much may be
  /// used. Throws Error when the device is not there or has not the memory.
  virtual std::unique_ptr<DevicePoints> make_points(int device, std::int64_t memory_bytes,
                                                    std::span<const PointCharge> charges,
                                                    const PairPotential& pair) const = 0;

  /// The sums over the maps of frames, kept on one of `devices` by its number; null when they need more
  /// memory than may be used. Throws Error when the device is not there or fails.
  virtual std::unique_ptr<FrameMaps> make_frame_maps(int device, const FrameMapsOptions& options) const = 0;

  /// What a PbSolver needs of an equation, as host_vectors (electrostatics/poisson_boltzmann/solver), on one
  /// of `devices` by its number, or on several that share it, the first of which has the lattice of the ions;
  /// the system must have been checked, and stay where it is. Throws Error when a device is not there or has
  /// not the memory (device_vectors_bytes).
  virtual std::unique_ptr<PbVectors> pb_vectors(const std::vector<int>& devices, PbSystem& system,
                                                bool is_nonlinear) const = 0;

  /// A solute's equation of which one of `devices`, by its number, has all, from the surface to the solution:
  /// it differs from FocusedPb's (compute/poisson_boltzmann) by rounding in fp32, and by what FocusedPb saves
  /// at the outer boundary. Null for what devices do not make: such an equation is to be solved with
  /// pb_vectors. Throws Error as FocusedPb does, and when the device is not there or has not the memory.
  virtual std::unique_ptr<SolutePb> solute_pb(int device, const OwnPbCalculation& calculation,
                                              std::span<const Atom> atoms) const = 0;

  /// How ranks with a device each share the planes of an equation; nothing where they cannot. Needs no
  /// device.
  virtual PlaneShares share_planes(const LatticeGeometry& lattice, int ranks) const = 0;

  /// pb_vectors on one of `devices` by its number, of one rank of a group, as shared_host_vectors: of what is
  /// stored, and of values_on_device, which are of the planes here, its own planes are the solution's. All
  /// numbers are those of one device, bit for bit. Throws as pb_vectors does.
  virtual std::unique_ptr<PbVectors> shared_pb_vectors(int device, PbSystem& system, bool is_nonlinear,
                                                       RankGroup& group) const = 0;

  /// make_host_site_field (placement/crystal_sites/site_field), on one of `devices` by its number; values
  /// differ by fp32 rounding at most. Throws Error when the device is not there or has not the memory.
  virtual std::unique_ptr<SiteField> make_site_field(int device, const SiteProblem& problem,
                                                     const Progress& progress) const = 0;

  /// make_host_forces (electrostatics/interpolated), on one of `devices` by its number; forces differ by fp32
  /// rounding. Throws Error when the device is not there or has not the memory.
  virtual std::unique_ptr<InterpolatedForces> interpolated_forces(int device,
                                                                  const PotentialOnLattice& potential,
                                                                  ForceInterpolation interpolation) const = 0;

  /// How fast replicas of moving ions are.
  virtual DeviceChainRates chain_rates() const = 0;

  /// Replicas of moving ions, on one of `devices` by its number. Throws UsageError as check_for_device does,
  /// Error when the device is not there or has not the memory.
  virtual std::unique_ptr<DeviceChains> make_chains(int device, ChainProblem problem) const = 0;

  /// Copies what another library keeps in a device's memory, `ordinal` as the driver counts in this process;
  /// after all that was asked of the device's default stream so far. Throws Error when it cannot.
  virtual void copy_to_host(int ordinal, const void* from, std::span<std::byte> to) const = 0;
};

/// What a program can compute on besides the CPU of this process: backends with devices, in the order in
/// which they are preferred, and the other processes that were started with this one. They must outlive every
/// run and result.
class Backends {
 public:
  Backends() = default;
  Backends(std::initializer_list<const DeviceBackend*> with_devices, RankGroup* ranks = nullptr)
      : with_devices_(with_devices), ranks_(ranks) {}
  Backends(std::vector<const DeviceBackend*> with_devices, RankGroup* ranks = nullptr)
      : with_devices_(std::move(with_devices)), ranks_(ranks) {}

  auto begin() const { return with_devices_.begin(); }
  auto end() const { return with_devices_.end(); }
  bool empty() const { return with_devices_.empty(); }

  /// The processes that can share a run; null if this process is alone.
  RankGroup* ranks() const { return ranks_; }

  /// The same; null also while they cannot be given work (RankGroup::is_free).
  RankGroup* free_ranks() const { return ranks_ != nullptr && ranks_->is_free() ? ranks_ : nullptr; }

 private:
  std::vector<const DeviceBackend*> with_devices_;
  RankGroup* ranks_ = nullptr;
};

/// What `automatic` came to.
struct BackendChoice {
  Backend backend = Backend::cpu;        // no longer automatic
  const DeviceBackend* owner = nullptr;  // of the devices; null for the CPU
  std::vector<Device> devices;
  FieldLayout layout;  // where the lattice goes then
  std::string reason;  // why no device, or not all of those named, is used; may be empty
};

}  // namespace ionwell
