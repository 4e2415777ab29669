#include "io/packing.hpp"

#include <zlib.h>

#include <new>

#include "core/count_text.hpp"
#include "core/error.hpp"

namespace ionwell {

std::string gzip(std::string_view text) {
  // Measured on the example's map, in 0.6 MB pieces: level 1 packs 96 MB/s to 37 %, level 6 24 MB/s to 31 %.
  constexpr int gzip_level = 1, gzip_window = 15 + 16, usual_memory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, gzip_level, Z_DEFLATED, gzip_window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, uLong(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = uInt(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END)
    fail("zlib could not pack ", count_of(std::int64_t(text.size()), "byte"), "; write the file without .gz");
  return packed;
}

}  // namespace ionwell
