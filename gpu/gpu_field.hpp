#pragma once

#include <memory>
#include <vector>

#include "compute/backend.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"
#include "lattice/frame_maps.hpp"

/// GPUs and the fields on them, as gpu/backend and the tests of this folder see them; no CUDA header is
/// needed.
namespace ionwell {

class DeviceChains;
class SiteField;
struct ChainProblem;
struct SiteProblem;

// What the library calls devices are GPUs here.
using GpuDevice = Device;
using GpuDevices = DeviceList;
using GpuLayout = FieldLayout;

/// Looks for devices when it is called for the first time, which takes a few tenths of a second: 0.15 s for
/// each GPU that CUDA is shown (H200). Starts none of them, and says nothing of free memory.
const GpuDevices& gpu_devices();

/// Starts a device of gpu_devices, which takes 0.13 s and some of its memory, and sees how much is free and
/// whether it runs this build's kernels. Throws Error, with the reason, when it cannot be used.
GpuDevice started_gpu(const GpuDevice& device);

/// Seconds that this process has spent in starting CUDA and devices.
double gpu_start_up_s();

/// A lattice whose values are on the first of `devices` (numbers as in gpu_devices; empty: the first there
/// is); the others help with the potential. Throws Error when there is no such device or not enough memory.
std::unique_ptr<MaskedLattice> make_gpu_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                                const FieldOptions& options, const std::vector<int>& devices);

/// A lattice laid out as `layout` says. The ions do not depend on it; values differ by fp32 rounding at most.
std::unique_ptr<MaskedLattice> make_lattice(const GpuLayout& layout, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options);

/// The potential of charges that repeat with a cell, on the device of this number; see DeviceBackend.
std::vector<double> gpu_periodic_potential(int number, const PeriodicCell& cell, const PairPotential& pair,
                                           std::span<const PointCharge> charges,
                                           std::span<const Vec3<double>> points_A,
                                           const PeriodicSumOptions& options, const Progress& progress);

/// Charges for sums at scattered points, on the device of this number; see DeviceBackend.
std::unique_ptr<DevicePoints> make_gpu_points(int number, std::int64_t memory_bytes,
                                              std::span<const PointCharge> charges,
                                              const PairPotential& pair);

/// Sums over the maps of frames, on the device of this number; null when there is not the memory, see
/// DeviceBackend.
std::unique_ptr<FrameMaps> make_gpu_frame_maps(int number, const FrameMapsOptions& options);

/// What a PbSolver needs of an equation, on the devices of these numbers; see device_vectors.hpp.
std::unique_ptr<PbVectors> gpu_pb_vectors(const std::vector<int>& numbers, PbSystem& system,
                                          bool is_nonlinear);

/// How ranks with a device each share the planes of an equation, and what each needs of its own; see
/// device_vectors.hpp and shared_planes.hpp.
PlaneShares gpu_plane_shares(const LatticeGeometry& lattice, int ranks);
std::unique_ptr<PbVectors> shared_gpu_pb_vectors(int number, PbSystem& system, bool is_nonlinear,
                                                 RankGroup& group);

/// The energies of a site model, on the device of this number; see DeviceBackend.
std::unique_ptr<SiteField> make_gpu_site_field(int number, const SiteProblem& problem,
                                               const Progress& progress);

/// Forces in a potential that the device of this number keeps; see DeviceBackend.
std::unique_ptr<InterpolatedForces> gpu_interpolated_forces(int number, const PotentialOnLattice& potential,
                                                            ForceInterpolation interpolation);

/// Replicas of moving ions, on the device of this number; see DeviceBackend.
std::unique_ptr<DeviceChains> make_gpu_chains(int number, ChainProblem problem);

/// What another library keeps in the memory of a device, `ordinal` as CUDA counts; see DeviceBackend.
void copy_from_gpu(int ordinal, const void* from, std::span<std::byte> to);

}  // namespace ionwell
