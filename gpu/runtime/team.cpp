// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/team.hpp"

#include <mutex>
#include <set>
#include <utility>

#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {
namespace {

/// Lets the current device, `from`, reach plain memory of another one; once in a process.
void reach(int from, int to) {
  static std::mutex mutex;
  static std::set<std::pair<int, int>> reached;
  const std::scoped_lock lock(mutex);
  if (reached.contains({from, to})) return;
  const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();  // another library was first
  else
    check(status, "reaching another device's memory");
  reached.insert({from, to});
}

}  // namespace

Team::Team(const std::vector<int>& ordinals) : ordinals_(ordinals) {
  if (ordinals_.size() > 1 && !can_spread(ordinals_)) ordinals_.resize(1);
  try {
    for (const int ordinal : ordinals_) {
      if (ordinals_.size() > 1) check(cudaSetDevice(ordinal), "going to another device");
      Member& member = members_.emplace_back();
      member.stream = made_stream(Turn::first);
      if (ordinals_.size() == 1) break;
      check(cudaEventCreateWithFlags(&member.event, cudaEventDisableTiming), "making an event");
      for (const int other : ordinals_)
        if (other != ordinal) reach(ordinal, other);
    }
    if (ordinals_.size() > 1) check(cudaSetDevice(ordinals_.front()), "going to another device");
  } catch (...) {
    close();
    throw;
  }
}

Team::~Team() {
  close();
}

void Team::close() noexcept {
  for (const Member& member : members_) {
    if (member.stream != nullptr) cudaStreamDestroy(member.stream);
    if (member.event != nullptr) cudaEventDestroy(member.event);
  }
  if (ordinals_.size() > 1) cudaSetDevice(ordinals_.front());
}

void Team::fork() const {
  check(cudaEventRecord(members_.front().event, stream()), "sharing work among devices");
  for (std::size_t n = 1; n < members_.size(); ++n)
    check(cudaStreamWaitEvent(members_[n].stream, members_.front().event, 0), "sharing work among devices");
}

void Team::join() const {
  check(cudaSetDevice(ordinals_.front()), "going to another device");
  for (std::size_t n = 1; n < members_.size(); ++n) {
    check(cudaEventRecord(members_[n].event, members_[n].stream), "joining the work of devices");
    check(cudaStreamWaitEvent(stream(), members_[n].event, 0), "joining the work of devices");
  }
}

void Team::wait_for_all() const noexcept {
  for (std::size_t n = members_.size(); n-- > 0;)
    if (cudaSetDevice(ordinals_[n]) == cudaSuccess) cudaStreamSynchronize(members_[n].stream);
}

}  // namespace ionwell::gpu
