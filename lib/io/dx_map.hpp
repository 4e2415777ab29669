#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/lattice.hpp"
#include "io/output_file.hpp"

namespace ionwell {

/// Throws UsageError unless the name ends in .dx or .dx.gz.
void check_map_name(const std::string& path);

struct DxOptions {
  std::vector<std::string> comments;  // lines at the top of the file, without #
  int threads = 0;                    // 0: all the machine has
};

/// Writes a potential [kT/e] as OpenDX text, gzipped when the name of `file` ends in .gz; the caller commits.
/// `values` has i fastest as everywhere here; the file has k fastest, three to a line, seven digits.
/// `progress` gets the part done, 0 to 1. Parallel; takes 16 MB, or the memory of sixteen planes of the
/// lattice where that is more. Throws Error for values that are not finite.
void write_dx(OutputFile& file, const LatticeGeometry& lattice, std::span<const float> values,
              const DxOptions& options, const std::function<void(double)>& progress);

}  // namespace ionwell
