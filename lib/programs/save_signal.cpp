#include "programs/save_signal.hpp"

namespace ionwell {
namespace {

volatile std::sig_atomic_t asked_to_save = 0;

}  // namespace

SaveSignal::SaveSignal() {
  forget();
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

void SaveSignal::forget() {
  asked_to_save = 0;
}

}  // namespace ionwell
