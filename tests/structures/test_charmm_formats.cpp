// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/charmm/charmm_crd.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/charmm/namd_binary.hpp"
#include "structures/charmm/psf.hpp"
#include "structures/charmm/xsc.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string formats_of(std::string_view head) {
  std::string formats;
  if (is_psf(head)) formats += "psf ";
  if (is_charmm_crd(head)) formats += "crd ";
  if (is_dcd(head)) formats += "dcd ";
  if (is_namd_binary(head)) formats += "coor ";
  if (is_xsc(head)) formats += "xsc ";
  return formats;
}

}  // namespace

TEST_CASE("formats of CHARMM and NAMD are known by their content, and nothing else is taken for one") {
  for (const std::string folder : {"data/md", "data/maps", "data/pqr-dialects"}) {
    const std::string path = shared_data(folder);
    if (path.empty()) return;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (!entry.is_regular_file()) continue;
      const std::string name = entry.path().filename().string();
      CAPTURE(name);
      const std::string bytes = read_text(entry.path().string());
      constexpr std::size_t head_bytes = 1 << 16;
      const std::string head = is_gzip(bytes) ? gunzip_head(bytes, head_bytes) : bytes.substr(0, head_bytes);
      const std::string expected = name.find(".psf") != name.npos   ? "psf "
                                   : name.find(".dcd") != name.npos ? "dcd "
                                                                    : "";
      CHECK(formats_of(head) == expected);
      CHECK(formats_of(bytes.substr(0, head_bytes)) == (is_gzip(bytes) ? "" : expected));
      ++files;
    }
    CHECK(files > 0);
  }
}
