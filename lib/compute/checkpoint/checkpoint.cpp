// SPDX-License-Identifier: BSD-3-Clause
#include "compute/checkpoint/checkpoint.hpp"

#include <cmath>
#include <utility>

namespace ionwell {
void validate(const CheckpointOptions& options) {
  if (!(options.every_s > 0.0 && std::isfinite(options.every_s)))
    fail<UsageError>("--tune checkpoint-every is ", options.every_s,
                     " s; it must be greater than 0; 600 is common");
}

Checkpoint::Checkpoint(CheckpointOptions options, const RunIdentity& identity)
    : options_(std::move(options)), identity_(identity) {
  validate(options_);
  check_writable(options_.path);
  remove_left_parts(options_.path);
  if (options_.from) resumed_ = read_checkpoint(*options_.from, identity_);
}

Checkpoint::~Checkpoint() {
  if (std::uncaught_exceptions() > exceptions_) save();
}

Checkpoint::Part::Part(Checkpoint* checkpoint, std::function<SavedState()> collect, Ending ending)
    : checkpoint_(checkpoint), collect_(std::move(collect)) {
  if (checkpoint_ == nullptr) return;
  checkpoint_->ending_ = ending;
  checkpoint_->collect_ = &collect_;
  if (!checkpoint_->notes_) checkpoint_->notes_.emplace();
}

Checkpoint::Part::~Part() {
  if (checkpoint_ == nullptr) return;
  checkpoint_->collect_ = nullptr;
  try {
    checkpoint_->last_ = collect_();
    if (checkpoint_->last_->arrays().empty()) checkpoint_->last_.reset();
  } catch (const std::exception&) {  // no memory: the file stays as it is
    checkpoint_->last_.reset();
  }
}

void Checkpoint::keep(SavedState ended) {
  kept_ = std::move(ended);
  last_.emplace();
  if (!notes_) notes_.emplace();
}

void Checkpoint::tick() {
  const bool ends_by_itself = ending_ == Ending::by_run;  // also when it writes what it has
  if (notes_ && !ends_by_itself) notes_->check();
  if (collect_ == nullptr) return;
  const bool is_time = std::chrono::duration<double>(Clock::now() - saved_).count() >= options_.every_s;
  if (is_time || save_signal_.came()) save();
}

void Checkpoint::save() noexcept {
  try {
    write();
  } catch (const std::exception& error) {
    tell_failure(error);
  }
}

void Checkpoint::write() {
  if (collect_ != nullptr) last_ = (*collect_)();
  if (!last_) return;
  last_->add(kept_);
  save_signal_.take();
  saved_ = Clock::now();  // also where writing fails
  OutputFile file(options_.path);
  write_checkpoint(file, identity_, *last_);
  file.commit();
  // Once more, or a run whose files take longer than the interval would do nothing but write them.
  saved_ = Clock::now();
  has_file_ = true;
  has_failed_ = false;
  last_.reset();
}

void Checkpoint::tell_failure(const std::exception& error) noexcept {
  if (std::exchange(has_failed_, true) || !warn_) return;
  try {
    warn_(std::string("no checkpoint was written: ") + error.what());
  } catch (const std::exception&) {  // nobody listens
  }
}

std::string Checkpoint::note() const {
  if (!has_file_) return "";
  return "; " + options_.path + " has the state so far, and --resume " + options_.path +
         " continues from there";
}

}  // namespace ionwell
