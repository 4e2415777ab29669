#include "cli/command_line.hpp"
#include "cli/inputs.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/views/view_outputs.hpp"
#include "output/views/report_file.hpp"

namespace ionwell {
namespace {

struct ViewCommandArguments {
  std::string report;
  bool all = false;
};

bool parse(const std::vector<std::string>& words, ViewCommandArguments& arguments, std::ostream& out) {
  CommandLine line({.name = "view",
                    .synopsis = "REPORT.json",
                    .about =
                        "Shows the ions of a report, which 'ionwell place --report' and 'ionwell prepare "
                        "--report' write, as a table: in colours on a terminal, unless NO_COLOR is set.",
                    .examples = "  ionwell view report.json\n"
                                "      what was placed, where and at which energy\n"
                                "  ionwell view report.json --all | less\n"
                                "      every ion, however many\n"});
  line.add_file("REPORT", arguments.report);
  line.group("Table").add_flag("all", arguments.all, "every ion; without it the first 20 of more than 30");
  return line.parse(words, out);
}

void print_report_times(std::ostream& out, const ReportFile& report) {
  TextStream text;
  text.setf(std::ios_base::fixed);
  text.precision(2);
  for (const auto& [stage, seconds] : report.timings_s)
    if (stage == "total") text << seconds << " s: ";
  std::string between;
  for (const auto& [stage, seconds] : report.timings_s) {
    if (stage == "total") continue;
    text << between << stage << ' ' << seconds;
    between = ", ";
  }
  print_row(out, "time", text.str());
}

}  // namespace

int view_command(const std::vector<std::string>& words, std::ostream& out) {
  ViewCommandArguments arguments;
  if (!parse(words, arguments, out)) return done;
  check_inputs({arguments.report});
  const ReportFile report = read_report(arguments.report);
  print_row(out, "command", report.command);
  print_row(out, "structure", report.path);
  print_row(out, "atoms", grouped(report.atoms));
  const auto placed = std::ssize(report.placement.ions);
  print_row(out, "ions", placed == 0 ? std::string("none") : grouped(placed),
            placed == report.placement.requested
                ? std::string()
                : " of " + grouped(report.placement.requested) + " that were asked for");
  out << '\n';
  TableStyle style = output_table_style();
  style.every_row = arguments.all;
  style.where_the_rest_is = "with --all";
  print_ion_table(out, report.placement, report.neighbours, style);
  if (placed > 0) out << '\n';
  print_row(out, "net charge", charge_text(report.charge_before_e), " e before, ",
            charge_text(report.charge_after_e), " e after");
  print_report_times(out, report);
  for (const std::string& warning : report.warnings) print_row(out, "warning", warning);
  return done;
}

}  // namespace ionwell
