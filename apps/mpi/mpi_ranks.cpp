// SPDX-License-Identifier: BSD-3-Clause
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <thread>
#include <vector>

#include "cli/terminal.hpp"
#include "compute/ranks/rank_worker.hpp"
#include "core/error.hpp"
#include "mpi/ranks.hpp"
#include "mpi/started_ranks.hpp"
#include "programs/child_process.hpp"

namespace ionwell {
namespace {

void check(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail("MPI: ", std::string(text, std::size_t(length)), "; the ranks cannot continue together");
}

/// MPI counts bytes by int.
constexpr std::size_t most_bytes = std::size_t(1) << 30;

/// part(first, count) for parts of so many bytes that MPI can count them.
template <typename Part>
void in_parts(std::size_t bytes, const Part& part) {
  for (std::size_t first = 0; first < bytes; first += most_bytes)
    part(first, int(std::min(most_bytes, bytes - first)));
}

/// All ranks of MPI_COMM_WORLD.
class MpiGroup final : public RankGroup {
 public:
  MpiGroup() {
    check(MPI_Comm_dup(MPI_COMM_WORLD, &all_));
    check(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN));
    check(MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here_));
    check(MPI_Comm_size(all_, &count_));
    check(MPI_Comm_rank(all_, &rank_));
    check(MPI_Comm_size(here_, &count_here_));
    check(MPI_Comm_rank(here_, &rank_here_));
    constexpr int most_at_once = 16;
    block_ = count_ > most_at_once ? int(std::ceil(std::sqrt(double(count_)))) : count_;
    if (block_ < count_) {
      check(MPI_Comm_split(all_, rank_ / block_, rank_, &in_block_));
      check(MPI_Comm_split(all_, leads_block() ? 0 : MPI_UNDEFINED, rank_, &leaders_));
    }
    char name[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    check(MPI_Get_processor_name(name, &length));
    host_.assign(name, std::size_t(length));
  }

  int count() const override { return count_; }
  int rank() const override { return rank_; }
  int count_on_host() const override { return count_here_; }
  int rank_on_host() const override { return rank_here_; }
  std::string host() const override { return host_; }

  void broadcast(std::span<std::byte> bytes) override {
    traffic.broadcasts.add(bytes.size());
    in_parts(bytes.size(), [&](std::size_t first, int size) {
      finish([&](MPI_Request* r) { return MPI_Ibcast(&bytes[first], size, MPI_BYTE, 0, all_, r); });
    });
  }

  /// Of many ranks in two steps, by blocks of them: Open MPI has the first take the messages of an
  /// MPI_Igather one after the other, 1.2 microseconds or more each.
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    traffic.gathers.add(mine.size());
    const int size = int(mine.size());
    if (block_ == count_)
      return finish([&](MPI_Request* r) {
        return MPI_Igather(mine.data(), size, MPI_BYTE, all.data(), size, MPI_BYTE, 0, all_, r);
      });
    finish([&](MPI_Request* r) {
      if (leads_block()) of_block_.resize(mine.size() * std::size_t(block_));
      if (rank_ == 0) of_blocks_.resize(of_block_.size() * std::size_t((count_ + block_ - 1) / block_));
      return MPI_Igather(mine.data(), size, MPI_BYTE, of_block_.data(), size, MPI_BYTE, 0, in_block_, r);
    });
    if (!leads_block()) return;
    finish([&](MPI_Request* r) {
      const int bytes = size * block_;  // of the last block fewer count
      return MPI_Igather(of_block_.data(), bytes, MPI_BYTE, of_blocks_.data(), bytes, MPI_BYTE, 0, leaders_,
                         r);
    });
    std::copy_n(of_blocks_.begin(), all.size(), all.begin());
  }

  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) override {
    traffic.all_gathers.add(all.size());
    if (all.size() > most_bytes) return all_gather_one_by_one(all, sizes);
    std::vector<int> counts, begins;
    for (const std::size_t size : sizes) {
      begins.push_back(counts.empty() ? 0 : begins.back() + counts.back());
      counts.push_back(int(size));
    }
    finish([&](MPI_Request* r) {
      return MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts.data(), begins.data(),
                             MPI_BYTE, all_, r);
    });
  }

  void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received) override {
    std::vector<MPI_Request> requests;
    const auto start = [&](const RankMessage& message, const auto& part) {
      in_parts(message.bytes.size(), [&](std::size_t first, int size) {
        check(part(&message.bytes[first], size, message.rank, &requests.emplace_back()));
      });
    };
    for (const RankMessage& message : sent) traffic.sent.add(message.bytes.size());
    for (const RankMessage& message : received) traffic.received.add(message.bytes.size());
    finish_all(requests, [&] {
      for (const RankMessage& message : received)
        start(message, [&](std::byte* bytes, int size, int from, MPI_Request* r) {
          return MPI_Irecv(bytes, size, MPI_BYTE, from, 0, all_, r);
        });
      for (const RankMessage& message : sent)
        start(message, [&](const std::byte* bytes, int size, int to, MPI_Request* r) {
          return MPI_Isend(bytes, size, MPI_BYTE, to, 0, all_, r);
        });
    });
  }

  void send(std::span<const std::byte> bytes, int to) override {
    traffic.sent.add(bytes.size());
    in_parts(bytes.size(), [&](std::size_t first, int size) {
      finish([&](MPI_Request* r) { return MPI_Isend(&bytes[first], size, MPI_BYTE, to, 0, all_, r); });
    });
  }

  void receive(std::span<std::byte> bytes, int from) override {
    traffic.received.add(bytes.size());
    in_parts(bytes.size(), [&](std::size_t first, int size) {
      finish([&](MPI_Request* r) { return MPI_Irecv(&bytes[first], size, MPI_BYTE, from, 0, all_, r); });
    });
  }

  bool has_message(int from) override {
    int is_there = 0;
    check(MPI_Iprobe(from, 0, all_, &is_there, MPI_STATUS_IGNORE));
    return is_there != 0;
  }

  /// Ranks of this host that may run on a processor that this one may run on.
  int ranks_on_my_cores() const {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    std::vector<cpu_set_t> sets;
    sets.resize(std::size_t(count_here_));
    check(MPI_Allgather(&mine, int(sizeof mine), MPI_BYTE, sets.data(), int(sizeof mine), MPI_BYTE, here_));
    int ranks = 0;
    for (const cpu_set_t& set : sets) {
      cpu_set_t both;
      CPU_AND(&both, &mine, &set);
      ranks += CPU_COUNT(&both) > 0;
    }
    return std::max(1, ranks);
  }

  void oversubscribed(bool is_oversubscribed) { is_oversubscribed_ = is_oversubscribed; }

 private:
  /// More than MPI can count at once.
  void all_gather_one_by_one(std::span<std::byte> all, std::span<const std::size_t> sizes) {
    for (std::size_t root = 0; root < sizes.size(); ++root) {
      const std::span<std::byte> bytes = all.first(sizes[root]);
      in_parts(bytes.size(), [&](std::size_t first, int size) {
        finish([&](MPI_Request* r) { return MPI_Ibcast(&bytes[first], size, MPI_BYTE, int(root), all_, r); });
      });
      all = all.subspan(sizes[root]);
    }
  }

  /// start(request), and waits for that.
  template <typename Start>
  void finish(const Start& start) {
    std::array<MPI_Request, 1> request;
    finish_all(request, [&] { check(start(request.data())); });
  }

  /// start(), and waits for the requests that it makes.
  template <typename Requests, typename Start>
  void finish_all(Requests& requests, const Start& start) {
    try {
      start();
      wait_for(requests);
    } catch (...) {
      in_step = false;
      throw;
    }
  }

  /// Eagerly at first, as between two ions, and then so that who computes has the processor.
  void wait_for(std::span<MPI_Request> requests) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds eager{2000}, pause{100};
    const Clock::time_point begin = Clock::now();
    for (;;) {
      int is_done = 0;
      check(MPI_Testall(int(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE));
      if (is_done != 0) return;
      if (Clock::now() - begin > eager) {
        if (while_waiting) while_waiting();
        std::this_thread::sleep_for(pause);
      } else if (is_oversubscribed_) {
        std::this_thread::yield();
      }
    }
  }

  bool leads_block() const { return rank_ % block_ == 0; }

  MPI_Comm all_{}, here_{}, in_block_{}, leaders_{};
  int count_ = 1, rank_ = 0, count_here_ = 1, rank_here_ = 0;
  int block_ = 1;  // ranks one after the other whose answers go together
  std::vector<std::byte> of_block_, of_blocks_;
  bool is_oversubscribed_ = false;
  std::string host_;
};

/// Ranks that may run on the same cores share them; what the user says counts more.
void share_cores(MpiGroup& group) {
  const int ranks = group.ranks_on_my_cores(), cores = omp_get_num_procs();
  group.oversubscribed(ranks > cores);
  if (std::getenv("OMP_NUM_THREADS") == nullptr) omp_set_num_threads(std::max(1, cores / ranks));
}

/// The first rank gets these too, decides, and tells the others.
void leave_signals_to_first_rank() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(signal, SIG_IGN);
}

/// Ends all ranks, for a reason that the first cannot be told any more.
int end_all(const MpiGroup& group, const char* reason) {
  std::fprintf(stderr, "ionwell: %s (rank %d of %d, on %s)\n", reason, group.rank(), group.count(),
               group.host().c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

int follow(MpiGroup& group, const DeviceBackend& (*backend)()) {
  leave_signals_to_first_rank();
  try {
    follow_orders(group, {&backend()});
    return 0;
  } catch (const std::bad_alloc&) {
    return end_all(group, "not enough memory for the part of this rank; use more machines");
  } catch (const std::exception& error) {
    return end_all(group, error.what());
  }
}

int lead(MpiGroup& group, ProgramMain program, int argc, char** argv) {
  group.while_waiting = [] {
    if (const int signal = noted_signal(); signal != 0) throw Interrupted(signal);
  };
  const auto begin = std::chrono::steady_clock::now();
  const int code = program(argc, argv, &group);
  constexpr std::chrono::seconds noticed{1};
  if (code == 0 && !group.had_work && std::chrono::steady_clock::now() - begin > noticed)
    print_message(std::cerr, "note: only the first of " + std::to_string(group.count()) +
                                 " ranks had work: ranks share the sums and maps of 'place' and 'map', large "
                                 "equations of '--pb own', and, without GPUs, 'average' and 'sample'; for "
                                 "other runs start one process with more threads");
  if (!group.in_step) MPI_Abort(MPI_COMM_WORLD, code);
  group.while_waiting = {};
  try {
    let_ranks_leave(group);
  } catch (const std::exception& error) {
    return end_all(group, error.what());
  }
  return code;
}

}  // namespace

int run_in_ranks(ProgramMain program, int argc, char** argv, const DeviceBackend& (*backend)()) {
  const char* const way_out =
      "their launcher does not work with the MPI of this program; start them with its mpirun, or with srun "
      "--mpi=pmix";
  const auto warn_alone = [&] {
    if (const std::string warning = lone_process_warning(way_out); !warning.empty())
      print_message(std::cerr, warning);
  };
  if (!is_started_by_mpi()) {
    warn_alone();
    return program(argc, argv, nullptr);
  }
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  int code = 0;
  {
    MpiGroup group;
    share_cores(group);
    if (group.count() == 1) {
      warn_alone();
      code = program(argc, argv, nullptr);
    } else {
      code = group.rank() == 0 ? lead(group, program, argc, argv) : follow(group, backend);
    }
  }
  MPI_Finalize();
  return code;
}

std::string describe_mpi(const RankGroup* ranks) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string library(text, std::size_t(length));
  library = library.substr(0, library.find_first_of(",\n"));
  return library + ", " + std::to_string(ranks == nullptr ? 1 : ranks->count()) +
         (ranks == nullptr ? " rank" : " ranks");
}

}  // namespace ionwell
