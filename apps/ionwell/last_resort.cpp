// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/last_resort.hpp"

#include <unistd.h>

#include <cstring>
#include <exception>
#include <new>

#include "files/output_file.hpp"
#include "ionwell/commands.hpp"

namespace ionwell {
namespace {

const char *ended_program = "ionwell", *last_words = out_of_memory;

void print(const char* text) noexcept {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(run_failed);
}

[[noreturn]] void end_tidily() noexcept {
  remove_unfinished_files();
  print(ended_program);
  print(": ");
  try {
    if (std::current_exception()) throw;
    print("the program stopped because of an internal error; please report what you did");
  } catch (const std::bad_alloc&) {
    print(last_words);
  } catch (const std::exception& error) {
    print(error.what());
  } catch (...) {
    print("an unknown error; please report what you did");
  }
  print("\n");
  _exit(run_failed);
}

}  // namespace

void end_tidily_on_terminate(const char* program, const char* without_memory) noexcept {
  ended_program = program;
  last_words = without_memory;
  std::set_terminate(end_tidily);
}

}  // namespace ionwell
