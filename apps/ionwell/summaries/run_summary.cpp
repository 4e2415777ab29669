// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/run_summary.hpp"

#include <unistd.h>

#include <algorithm>
#include <iomanip>

#include "cli/terminal.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

constexpr std::size_t label_width = 16;

}  // namespace

void print_row_text(std::ostream& out, const std::string& label, const std::string& value) {
  std::string row = label;
  row.resize(std::max(row.size(), label_width), ' ');
  row += one_line(value);
  const auto columns = terminal_columns(STDOUT_FILENO);
  out << (columns ? wrapped(row, {.columns = *columns, .indent = label_width}) : row) << '\n';
}

void print_solute(std::ostream& out, const Structure& structure) {
  print_row(out, "structure", structure.path);
  print_row(out, "atoms", grouped(std::int64_t(structure.atoms.size())));
  print_row(out, "net charge", charge_text(net_charge_e(structure.atoms)), " e");
}

void print_lattice(std::ostream& out, const LatticeGeometry& lattice) {
  const auto& [nx, ny, nz] = lattice.counts;
  const auto& [hx, hy, hz] = lattice.spacing_A;
  TextStream spacing;
  spacing << hx;
  if (hx != hy || hx != hz) spacing << " x " << hy << " x " << hz;
  print_row(out, "lattice", grouped(nx), " x ", grouped(ny), " x ", grouped(nz), " = ",
            count_of(lattice.size(), "point"), ", ", spacing.str(), " A apart, from (", lattice.origin_A.x,
            ", ", lattice.origin_A.y, ", ", lattice.origin_A.z, ") A");
}

void print_computed_on(std::ostream& out, const RunRecord& run, const std::string& behind) {
  const std::string reason = run.backend_reason.empty() ? "" : " (" + run.backend_reason + ")";
  if (run.backend != Backend::cpu)
    print_row(out, "computed on", run.device, behind, reason);
  else
    print_row(out, "computed on", count_of(run.threads, "CPU thread"), " with ", run.device, " instructions",
              reason);
}

void print_times(std::ostream& out, const RunRecord& run) {
  TextStream text;
  text << std::fixed << std::setprecision(2) << run.timings_s.back().second << " s: ";
  for (std::size_t i = 0; i + 1 < run.timings_s.size(); ++i)
    text << (i == 0 ? "" : ", ") << run.timings_s[i].first << ' ' << run.timings_s[i].second;
  print_row(out, "time", text.str());
}

void print_files(std::ostream& out, const std::vector<std::optional<std::string>>& paths) {
  std::string label = "written";
  for (const std::optional<std::string>& path : paths) {
    if (!path) continue;
    print_row(out, label, *path);
    label.clear();
  }
}

}  // namespace ionwell
