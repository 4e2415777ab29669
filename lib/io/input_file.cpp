#include "io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "core/count_text.hpp"
#include "core/error.hpp"

namespace ionwell {
namespace {

/// Bytes that grow at the end by doubling.
class Buffer {
 public:
  explicit Buffer(std::size_t capacity) { grow_to(capacity); }

  char* free_space() { return bytes_.get() + size_; }
  std::size_t free_size() const { return capacity_ - size_; }
  std::size_t size() const { return size_; }
  void add(std::size_t count) { size_ += count; }
  FileBytes take() { return {std::move(bytes_), size_}; }

  void grow_to(std::size_t capacity) {
    std::unique_ptr<char[]> larger(new char[capacity]);  // make_unique would fill it with zeros
    if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ >= 0) return;
    if (errno == ENOENT) fail(path, ": no such file; check the path");
    fail(path, ": cannot be opened: ", std::strerror(errno), "; check its permissions");
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(descriptor_); }

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// zlib's state for gzip members.
class Inflater {
 public:
  Inflater() {
    constexpr int largest_window = 15, gzip_only = 16;
    if (inflateInit2(&stream_, largest_window + gzip_only) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  z_stream* operator->() { return &stream_; }
  z_stream* get() { return &stream_; }

 private:
  z_stream stream_{};
};

/// The last four bytes of gzip data are the unpacked size; true for one member below 4 GiB, a guess for
/// others.
std::size_t guess_unpacked_size(std::string_view packed, const InputLimits& limits) {
  std::size_t size = 0;
  for (int i = 1; i <= 4; ++i) size = 256 * size + static_cast<unsigned char>(packed[packed.size() - i]);
  return std::min({size, best_deflate_ratio * packed.size(), limits.unpacked_bytes}) + 1;
}

/// Some tools pad a gzip file with zeros; everything else after a member must be a member.
bool is_padding(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

}  // namespace

FileBytes read_file_bytes(const std::string& path, const InputLimits& limits) {
  const FileDescriptor file(path);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) fail(path, ": cannot be read: ", std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail(path, ": is a directory; give a file in it");

  const bool is_regular = S_ISREG(status.st_mode);
  constexpr std::size_t first_guess = 1 << 16;  // for pipes, whose size nobody knows
  // One byte more than the file has, so that its end is seen without growing.
  Buffer buffer(is_regular && status.st_size > 0 ? std::size_t(status.st_size) + 1 : first_guess);
  for (;;) {
    if (buffer.free_size() == 0) buffer.grow_to(2 * buffer.size());
    const ssize_t count = read(file.get(), buffer.free_space(), buffer.free_size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, ": cannot be read: ", std::strerror(errno));
    if (count == 0) break;
    buffer.add(std::size_t(count));
    if (!is_regular && buffer.size() > limits.unpacked_bytes)
      fail(path, ": gives more than ", grouped(std::int64_t(limits.unpacked_bytes)),
           " bytes; write it to a file first");
  }
  if (buffer.size() == 0) fail(path, ": is empty; check the program that wrote it");
  return buffer.take();
}

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

FileBytes gunzip(std::string_view packed, const std::string& path, const InputLimits& limits) {
  constexpr std::size_t smallest_member = 18;
  const std::string cut = path + ": ends in the middle of its gzip data; copy the file again";
  if (packed.size() < smallest_member) fail(cut);

  Inflater inflater;
  Buffer buffer(guess_unpacked_size(packed, limits));
  bool inside_member = true;
  while (inside_member || !is_padding(packed)) {
    inside_member = true;
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    if (buffer.free_size() == 0) buffer.grow_to(2 * buffer.size());
    const std::size_t in = std::min(packed.size(), most), out = std::min(buffer.free_size(), most);
    inflater->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    inflater->avail_in = uInt(in);
    inflater->next_out = reinterpret_cast<Bytef*>(buffer.free_space());
    inflater->avail_out = uInt(out);
    const int status = inflate(inflater.get(), Z_NO_FLUSH);
    packed.remove_prefix(in - inflater->avail_in);
    buffer.add(out - inflater->avail_out);
    if (buffer.size() > limits.unpacked_bytes)
      fail(path, ": unpacks to more than ", grouped(std::int64_t(limits.unpacked_bytes)),
           " bytes, the limit for gzip files; if that is right, gunzip it and give the unpacked file");
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      inside_member = false;
      inflateReset(inflater.get());
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(path, ": is damaged gzip data (", inflater->msg != nullptr ? inflater->msg : "unknown error",
           "); copy the file again");
    } else if (packed.empty() && buffer.free_size() > 0) {
      fail(cut);
    }
  }
  if (buffer.size() == 0) fail(path, ": unpacks to nothing; check the program that wrote it");
  return buffer.take();
}

FileBytes read_input_file(const std::string& path, const InputLimits& limits) {
  FileBytes bytes = read_file_bytes(path, limits);
  if (!is_gzip(bytes.text())) return bytes;
  // Atoms pack to a fourth or a tenth, so a small file that unpacks to gigabytes is seen before they fill the
  // memory.
  constexpr std::size_t times_packed = 64, slack = std::size_t{1} << 20;
  const std::size_t most = times_packed * bytes.text().size() + slack;
  return gunzip(bytes.text(), path, {.unpacked_bytes = std::min(limits.unpacked_bytes, most)});
}

}  // namespace ionwell
