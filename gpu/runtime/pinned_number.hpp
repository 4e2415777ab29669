// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell::gpu {

/// A number in host memory that devices write while the host continues. To pin memory takes a millisecond:
/// all of them share a page, which stays.
class PinnedNumber {
 public:
  PinnedNumber();
  ~PinnedNumber();
  PinnedNumber(const PinnedNumber&) = delete;
  PinnedNumber& operator=(const PinnedNumber&) = delete;

  double* data() { return at_; }
  double operator*() const { return *at_; }

 private:
  double* at_;
};

}  // namespace ionwell::gpu
