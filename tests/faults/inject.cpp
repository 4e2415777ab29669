// SPDX-License-Identifier: BSD-3-Clause
// Loaded before everything else (LD_PRELOAD), this makes one call fail that asks the system for memory, or
// does something to a file, and counts the others. Linux and glibc only. By the environment:
//   IONWELL_FAULT=memory|files|quota   which calls; of quota those that may make a file larger, or are told
//   late of it IONWELL_FAULT_AT=N           the N-th of them fails, from 1; with 0 none does
//   IONWELL_FAULT_ON=1           and so do all after it
//   IONWELL_FAULT_NOTE=PATH      where the number of calls goes at the end, and which one failed
// It counts from main's first line to its last: before and after no program can say or mend anything. What
// removes files (unlink, openat) is left alone, for what cannot be removed stays, and so are calls of the
// modules named below.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::array left_alone = {
    "/libgomp.so", "/libomp.so",  // they end the program when they get no memory for a thread
    "/ld-linux",                  // so does the loader, for thread-local data
    "/libasan.so", "/libubsan.so",
};
// HDF5 1.10.8 follows null pointers, and NetCDF stands on it; their files may fail.
constexpr std::array crash_without_memory = {"/libhdf5", "/libnetcdf"};

enum class Kind { none, memory, files, quota };  // quota: of files, those that a quota may refuse

struct Range {
  std::uintptr_t begin, end;
};

Kind kind = Kind::none;
long fails_at = 0;
bool goes_on = false;
char note_path[4096];
std::array<Range, 32> ranges;  // of code that is left alone
std::size_t range_count = 0;
std::atomic<bool> counting = false;
std::atomic<long> calls = 0;
pid_t process = 0;
thread_local bool inside [[gnu::tls_model("initial-exec")]] = false;  // a call that another one here makes

template <typename Function>
Function* real(Function*& found, const char* name) {
  if (found == nullptr) found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return found;
}

void note(const char* text, std::size_t size) {
  inside = true;
  static decltype(::open)* opens;
  static decltype(::write)* writes;
  static decltype(::close)* closes;
  const int file = real(opens, "open")(note_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file >= 0) {
    if (real(writes, "write")(file, text, size) < 0) _exit(125);
    real(closes, "close")(file);
  }
  inside = false;
}

void note_failure(long number, const char* what, void* caller) {
  char text[1024];
  Dl_info info{};
  inside = true;
  dladdr(caller, &info);
  const int size = std::snprintf(text, sizeof text, "call %ld failed: %s in %s+0x%zx (%s)\n", number, what,
                                 info.dli_fname != nullptr ? info.dli_fname : "?",
                                 std::size_t(reinterpret_cast<std::uintptr_t>(caller) -
                                             reinterpret_cast<std::uintptr_t>(info.dli_fbase)),
                                 info.dli_sname != nullptr ? info.dli_sname : "?");
  note(text, std::size_t(size));
}

bool is_left_alone(void* caller) {
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  for (std::size_t n = 0; n < range_count; ++n)
    if (at >= ranges[n].begin && at < ranges[n].end) return true;
  return false;
}

/// Counts a call; true when it is to fail.
bool fails(Kind of, const char* what, void* caller) {
  if (!(of == kind || (of == Kind::quota && kind == Kind::files)) || inside ||
      !counting.load(std::memory_order_relaxed) || is_left_alone(caller))
    return false;
  if (getpid() != process) return false;  // a child before it has become another program
  const long number = ++calls;
  if (fails_at == 0 || number < fails_at || (number > fails_at && !goes_on)) return false;
  const int before = errno;
  if (number == fails_at) note_failure(number, what, caller);
  errno = before;
  return true;
}

/// While one of these calls is made, what it calls in turn is its own affair.
class Inside {
 public:
  Inside() : before_(inside) { inside = true; }
  ~Inside() { inside = before_; }

 private:
  bool before_;
};

int find_ranges(dl_phdr_info* info, std::size_t, void*) {
  const auto is_one_of = [info](const auto& names) {
    return std::any_of(names.begin(), names.end(),
                       [info](const char* name) { return std::strstr(info->dlpi_name, name) != nullptr; });
  };
  const bool found = is_one_of(left_alone) || (kind == Kind::memory && is_one_of(crash_without_memory));
  if (found)
    for (int n = 0; n < info->dlpi_phnum && range_count < ranges.size(); ++n)
      if (const auto& part = info->dlpi_phdr[n]; part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
        ranges[range_count++] = {info->dlpi_addr + part.p_vaddr,
                                 info->dlpi_addr + part.p_vaddr + part.p_memsz};
  return 0;
}

int (*real_main)(int, char**, char**);

int counted_main(int argc, char** argv, char** environment) {
  const char* const asked = std::getenv("IONWELL_FAULT");
  if (asked == nullptr) return real_main(argc, argv, environment);
  kind = std::strcmp(asked, "memory") == 0  ? Kind::memory
         : std::strcmp(asked, "quota") == 0 ? Kind::quota
                                            : Kind::files;
  if (const char* const at = std::getenv("IONWELL_FAULT_AT")) fails_at = std::atol(at);
  goes_on = std::getenv("IONWELL_FAULT_ON") != nullptr;
  if (const char* const path = std::getenv("IONWELL_FAULT_NOTE"))
    std::strncpy(note_path, path, sizeof note_path - 1);
  unsetenv("LD_PRELOAD");  // programs that this one starts are left alone
  dl_iterate_phdr(find_ranges, nullptr);
  process = getpid();
  counting = true;
  const int code = real_main(argc, argv, environment);
  counting = false;
  char text[64];
  note(text, std::size_t(std::snprintf(text, sizeof text, "calls: %ld\n", calls.load())));
  return code;
}

}  // namespace

#define CALLER __builtin_return_address(0)

// What `name` is without this library; `fail` what it does when it fails.
#define PASS_ON(name, of, arguments, on_failure) \
  static decltype(::name)* passed_on;            \
  if (fails(of, #name, CALLER)) {                \
    on_failure;                                  \
  }                                              \
  const Inside here;                             \
  return real(passed_on, #name) arguments

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
  static int (*passed_on)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(),
                          void*);
  real_main = main;
  return real(passed_on, "__libc_start_main")(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}

#define NO_MEMORY \
  errno = ENOMEM; \
  return nullptr

void* malloc(std::size_t size) noexcept {
  PASS_ON(malloc, Kind::memory, (size), NO_MEMORY);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  PASS_ON(calloc, Kind::memory, (count, size), NO_MEMORY);
}
void* realloc(void* old, std::size_t size) noexcept {
  PASS_ON(realloc, Kind::memory, (old, size), NO_MEMORY);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  PASS_ON(aligned_alloc, Kind::memory, (alignment, size), NO_MEMORY);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  PASS_ON(posix_memalign, Kind::memory, (memory, alignment, size), return ENOMEM);
}

// Whose memory malloc cannot tell, for its caller is libc.
char* strdup(const char* text) noexcept {
  PASS_ON(strdup, Kind::memory, (text), NO_MEMORY);
}
char* strndup(const char* text, std::size_t size) noexcept {
  PASS_ON(strndup, Kind::memory, (text, size), NO_MEMORY);
}
int vasprintf(char** text, const char* format, va_list arguments) noexcept {
  PASS_ON(vasprintf, Kind::memory, (text, format, arguments), errno = ENOMEM; return -1);
}

#define FAIL_AS(reason)                            \
  errno = kind == Kind::quota ? EDQUOT : (reason); \
  return -1

#define PASS_ON_OPENING(name, given) \
  mode_t mode = 0;                   \
  if ((flags & O_CREAT) != 0) {      \
    va_list more;                    \
    va_start(more, flags);           \
    mode = va_arg(more, mode_t);     \
    va_end(more);                    \
  }                                  \
  PASS_ON(name, (flags & O_CREAT) != 0 ? Kind::quota : Kind::files, given, FAIL_AS(EMFILE))

int open(const char* path, int flags, ...) {
  PASS_ON_OPENING(open, (path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  PASS_ON_OPENING(open64, (path, flags, mode));
}
FILE* fopen(const char* path, const char* mode) {
  PASS_ON(fopen, Kind::files, (path, mode), errno = EMFILE; return nullptr);
}
FILE* fopen64(const char* path, const char* mode) {
  PASS_ON(fopen64, Kind::files, (path, mode), errno = EMFILE; return nullptr);
}
ssize_t read(int file, void* bytes, std::size_t size) {
  PASS_ON(read, Kind::files, (file, bytes, size), FAIL_AS(EIO));
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t at) {
  PASS_ON(pread, Kind::files, (file, bytes, size, at), FAIL_AS(EIO));
}
ssize_t pread64(int file, void* bytes, std::size_t size, off64_t at) {
  PASS_ON(pread64, Kind::files, (file, bytes, size, at), FAIL_AS(EIO));
}
ssize_t write(int file, const void* bytes, std::size_t size) {
  PASS_ON(write, Kind::quota, (file, bytes, size), FAIL_AS(ENOSPC));
}
ssize_t writev(int file, const iovec* parts, int count) {
  PASS_ON(writev, Kind::quota, (file, parts, count), FAIL_AS(ENOSPC));
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  PASS_ON(pwrite, Kind::quota, (file, bytes, size, at), FAIL_AS(ENOSPC));
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t at) {
  PASS_ON(pwrite64, Kind::quota, (file, bytes, size, at), FAIL_AS(ENOSPC));
}
int ftruncate(int file, off_t size) noexcept {
  PASS_ON(ftruncate, Kind::quota, (file, size), FAIL_AS(EIO));
}
int ftruncate64(int file, off64_t size) noexcept {
  PASS_ON(ftruncate64, Kind::quota, (file, size), FAIL_AS(EIO));
}
int fsync(int file) {
  PASS_ON(fsync, Kind::quota, (file), FAIL_AS(EIO));
}
int rename(const char* from, const char* to) noexcept {
  PASS_ON(rename, Kind::quota, (from, to), FAIL_AS(EIO));
}
char* mkdtemp(char* name) noexcept {
  PASS_ON(mkdtemp, Kind::quota, (name), errno = kind == Kind::quota ? EDQUOT : ENOSPC; return nullptr);
}

/// A close that reports an error has closed all the same.
int close(int file) {
  static decltype(::close)* passed_on;
  const bool failed = fails(Kind::quota, "close", CALLER);
  const Inside here;
  const int result = real(passed_on, "close")(file);
  if (!failed) return result;
  errno = kind == Kind::quota ? EDQUOT : EIO;
  return -1;
}

}  // extern "C"

// Where a sanitizer has its own operator new, malloc does not see it.
#define PASS_ON_NEW(symbol, parameters, arguments)                         \
  static void*(*passed_on)parameters;                                      \
  if (fails(Kind::memory, "operator new", CALLER)) throw std::bad_alloc(); \
  const Inside here;                                                       \
  return real(passed_on, symbol) arguments

void* operator new(std::size_t size) {
  PASS_ON_NEW("_Znwm", (std::size_t), (size));
}
void* operator new[](std::size_t size) {
  PASS_ON_NEW("_Znam", (std::size_t), (size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  PASS_ON_NEW("_ZnwmSt11align_val_t", (std::size_t, std::align_val_t), (size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  PASS_ON_NEW("_ZnamSt11align_val_t", (std::size_t, std::align_val_t), (size, alignment));
}
