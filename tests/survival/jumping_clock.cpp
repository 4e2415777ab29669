// SPDX-License-Identifier: BSD-3-Clause
// Loaded before everything else (LD_PRELOAD), this has the time of day jump between any two calls, back by a
// year and forward by ten, and leaves the clock that only goes forward as it is. Linux and glibc only.
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>

namespace {

/// Seconds that the time of day is ahead at this call.
time_t jump_s() {
  constexpr time_t year_s = 365 * 86400, jumps_s[] = {-year_s, 10 * year_s, 0, -year_s / 2};
  static std::atomic<unsigned> calls{0};
  return jumps_s[calls++ % 4];
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static auto* const passed_on = real<decltype(clock_gettime)>("clock_gettime");
  const int result = passed_on(clock, now);
  const bool is_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (result == 0 && is_of_day) now->tv_sec += jump_s();
  return result;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  static auto* const passed_on = real<decltype(gettimeofday)>("gettimeofday");
  const int result = passed_on(now, zone);
  if (result == 0) now->tv_sec += jump_s();
  return result;
}

time_t time(time_t* now) noexcept {
  timespec of_day{};
  clock_gettime(CLOCK_REALTIME, &of_day);
  if (now != nullptr) *now = of_day.tv_sec;
  return of_day.tv_sec;
}

}  // extern "C"
