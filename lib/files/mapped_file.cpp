// SPDX-License-Identifier: BSD-3-Clause
#include "files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace ionwell {

MappedFile::MappedFile(std::string path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail_for("opened");
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail_for("read");
  if (!S_ISREG(status.st_mode) || status.st_size <= 0) {
    close(descriptor_);
    fail(path_, ": ", S_ISREG(status.st_mode) ? "is empty" : "is not a regular file",
         "; give a file that is not empty");
  }
  size_ = std::size_t(status.st_size);
  void* const address = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (address == MAP_FAILED) fail_for("mapped into memory");
  data_ = static_cast<const char*>(address);
}

MappedFile::~MappedFile() {
  munmap(const_cast<char*>(data_), size_);
  close(descriptor_);
}

void MappedFile::check_size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) == 0 && status.st_size >= 0 && std::size_t(status.st_size) >= size_) return;
  fail(path_, ": the file became shorter while it was read; wait until it is written completely");
}

void MappedFile::forget() const noexcept {
  madvise(const_cast<char*>(data_), size_, MADV_DONTNEED);  // advice only: a refusal is no failure
}

void MappedFile::fail_for(const char* what) const {
  const int reason = errno;
  if (descriptor_ >= 0) close(descriptor_);
  fail(path_, ": cannot be ", what, ": ", std::strerror(reason), "; check the path and its permissions");
}

}  // namespace ionwell
