// SPDX-License-Identifier: BSD-3-Clause
#include "programs/save_signal.hpp"

namespace ionwell {
namespace {

volatile std::sig_atomic_t asked_to_save = 0;

}  // namespace

SaveSignal::SaveSignal() {
  take();
  struct sigaction note {};
  note.sa_handler = [](int) { asked_to_save = 1; };
  note.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &note, &before_);
}

SaveSignal::~SaveSignal() {
  sigaction(SIGUSR1, &before_, nullptr);
}

bool SaveSignal::came() const {
  return asked_to_save != 0;
}

bool SaveSignal::take() {
  const bool has_come = came();
  asked_to_save = 0;
  return has_come;
}

}  // namespace ionwell
