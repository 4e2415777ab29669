// SPDX-License-Identifier: BSD-3-Clause
#define DOCTEST_CONFIG_IMPLEMENT
#include "support/skip.hpp"

#include <doctest/doctest.h>

#include <iostream>

namespace ionwell::test {
namespace {

int cases_run = 0, cases_skipped = 0;
bool said_skip = false;  // in the present test case

/// Counts; doctest's own reporter prints.
struct SkipCounter final : doctest::IReporter {
  explicit SkipCounter(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData&) override {
    ++cases_run;
    said_skip = false;
  }
  void test_case_end(const doctest::CurrentTestCaseStats&) override { cases_skipped += said_skip ? 1 : 0; }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("skips", 1, SkipCounter);

}  // namespace

void skip(const std::string& why) {
  std::cout << "skipped: " << why << '\n';
  said_skip = true;
}

int run_test_cases(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int result = context.run();
  if (context.shouldExit() || result != 0) return result;  // it was asked to list something, or has failed
  if (cases_run == 0) {
    std::cerr << "no test case has such a name\n";
    return 1;
  }
  return cases_skipped == cases_run ? all_skipped : 0;
}

}  // namespace ionwell::test
