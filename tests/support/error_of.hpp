// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/error.hpp"

namespace ionwell::test {

/// The message of the Error that `action` throws; "no error" if it does not.
template <typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace ionwell::test
