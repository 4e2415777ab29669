// SPDX-License-Identifier: BSD-3-Clause
#include "cionize/session.hpp"

#include <unistd.h>

#include <cmath>
#include <iomanip>
#include <utility>

#include "cionize/script_words.hpp"
#include "cli/terminal.hpp"
#include "compute/backend.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/summaries/placement_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "jobs/place/job/placement_messages.hpp"
#include "jobs/place/job/placement_table.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/job/result_map.hpp"
#include "maps/dx_map.hpp"
#include "maps/map_file.hpp"
#include "maps/map_format.hpp"

namespace ionwell::cionize {
namespace {

constexpr double published_ddd_per_A = 3.0;  // Stone et al. 2007

/// On `out`, for Tcl's exec takes a program for failed that writes to standard error.
void print_warning(std::ostream& out, const std::string& text) {
  const std::string message = "warning: " + one_line(in_script_words(text));
  const auto columns = terminal_columns(STDOUT_FILENO);
  out << (columns ? wrapped(message, {.columns = *columns, .indent = 2}) : message) << '\n';
}

/// A bar on a terminal, and nothing on standard error otherwise.
RunObserver observer_on(std::ostream& out) {
  RunObserver observer = terminal_observer(progress_style(isatty(STDERR_FILENO) != 1));
  observer.warning = [&out](const std::string& text) { print_warning(out, text); };
  observer.planned = [&out](const Result& planned) { print_plan(out, planned); };
  return observer;
}

/// Under the name that the script gives it, which is what the next program is told.
NamedIon named_as_typed(const PlacedIon& ion) {
  return {.residue = ion.species.name,
          .atom = ion.species.name,
          .element = ion.species.element,
          .charge_e = ion.species.charge_e,
          .position_A = ion.position_A,
          .radius_A = ionic_radius_A(ion.species.element, ion.species.charge_e).value_or(0.0)};
}

double whole_steps_A(double distance_A, double spacing_A) {
  return std::round(distance_A / spacing_A) * spacing_A;
}

}  // namespace

Session::Session(const Arguments& arguments, Input input, SessionPlan plan, std::ostream& out,
                 const Backends& backends)
    : arguments_(arguments),
      input_(std::move(input)),
      plan_(std::move(plan)),
      out_(out),
      backends_(backends),
      stages_(observer_on(out)) {}

void Session::warn_about(const std::string& text) const {
  stages_.observer().warning(text);
}

void Session::execute(const ScriptCommand& command) {
  switch (command.keyword) {
    case Keyword::show_options:
      return show_options();
    case Keyword::help:
      return print_keywords(out_, output_columns());
    case Keyword::begin:
      return begin();
    case Keyword::place_ion:
      return place(command);
    case Keyword::save_ion:
      return save_ions(command);
    case Keyword::save_grid:
      return save_grid(command);
    case Keyword::exit:
      return;
    default:
      return set(command);
  }
}

void Session::set(const ScriptCommand& command) {
  switch (command.keyword) {
    case Keyword::r_ion_solute:
      options_.exclusion.ion_solute_A = command.number;
      break;
    case Keyword::r_ion_ion:
      options_.exclusion.ion_ion_A = command.number;
      break;
    case Keyword::border_size:
      options_.lattice.border_A = command.number;
      break;
    case Keyword::grid_spacing:
      options_.lattice.spacing_A = command.number;
      break;
    case Keyword::ddd:
      options_.ddd_per_A = command.number;
      break;
    case Keyword::grid_file:
      options_.grid_file = command.path;
      break;
    case Keyword::xyz_dim:
      options_.lattice.box = command.box;
      break;
    default:
      options_.multigrid = true;
  }
}

std::optional<double> Session::ddd() const {
  if (!options_.ddd_per_A && arguments_.mode == Mode::ddd) return published_ddd_per_A;
  return options_.ddd_per_A;
}

double Session::spacing_A() const {
  return options_.lattice.spacing_A.value_or(LatticeOptions{}.spacing_A);
}

/// In the rules of the reference program: round(extent / spacing) + 1 points along each axis of a box, too.
LatticeRequest Session::lattice() const {
  LatticeRequest lattice = options_.lattice;
  if (!lattice.box) return lattice;
  lattice.border_A.reset();
  const Vec3<double> low = lattice.box->lowest_A, high = lattice.box->highest_A;
  const auto last = [&](double from_A, double to_A) {
    return from_A + whole_steps_A(to_A - from_A, spacing_A());
  };
  lattice.box->highest_A = {last(low.x, high.x), last(low.y, high.y), last(low.z, high.z)};
  return lattice;
}

/// A map's own lattice may have any spacing, also three: there the distance is what it is.
ExclusionOptions Session::exclusion() const {
  ExclusionOptions exclusion = options_.exclusion;
  const bool is_own_of_map = options_.grid_file && !options_.lattice.spacing_A &&
                             !options_.lattice.border_A && !options_.lattice.box;
  if (!is_own_of_map) exclusion.ion_ion_A = whole_steps_A(exclusion.ion_ion_A, spacing_A());
  return exclusion;
}

SourceOptions Session::source() const {
  if (options_.grid_file) return MapFiles{.paths = {*options_.grid_file}, .usual_unit = MapUnit::kT_e};
  SummationOptions sum;
  if (options_.multigrid || arguments_.mode == Mode::multigrid)
    sum.method = Method::multilevel;
  else if (arguments_.mode == Mode::single_precision || arguments_.mode == Mode::double_precision)
    sum.method = Method::direct;
  return sum;
}

Job Session::job() const {
  return {.structure = input_.system.acting(),
          .ions_follow = true,
          .source = source(),
          .electrostatics = {.ddd_per_A = options_.grid_file ? std::nullopt : ddd()},
          .lattice = lattice(),
          .exclusion = exclusion(),
          .boundary = Boundary::open,  // the original knows no images
          .backend = backend_options(arguments_.backend),
          .field = {.every_point = plan_.saves_grid, .threads = usable_threads(arguments_.processors)},
          .command = plan_.command,
          .map_names = plan_.grid_files};
}

void Session::show_options() const {
  const auto row = [&](Keyword keyword, const auto&... values) {
    TextStream text;
    ((text << values), ...);
    print_row(out_, std::string(word_of(keyword)), text.str());
  };
  const LatticeRequest& lattice = options_.lattice;
  row(Keyword::r_ion_solute, options_.exclusion.ion_solute_A);
  row(Keyword::r_ion_ion, options_.exclusion.ion_ion_A);
  if (lattice.box)
    row(Keyword::xyz_dim, lattice.box->lowest_A.x, ' ', lattice.box->lowest_A.y, ' ', lattice.box->lowest_A.z,
        ' ', lattice.box->highest_A.x, ' ', lattice.box->highest_A.y, ' ', lattice.box->highest_A.z);
  else if (lattice.border_A || !options_.grid_file)
    row(Keyword::border_size, lattice.border_A.value_or(LatticeOptions{}.border_A));
  if (lattice.spacing_A || lattice.box || lattice.border_A || !options_.grid_file)
    row(Keyword::grid_spacing, spacing_A());
  if (options_.grid_file) row(Keyword::grid_file, *options_.grid_file);
  if (const std::optional<double> k = ddd()) row(Keyword::ddd, *k);
  if (options_.multigrid || arguments_.mode == Mode::multigrid) row(Keyword::multigrid);
}

void Session::begin() {
  if (options_.grid_file && ddd())
    fail(
        "GRIDFILE and DDD are both given, but DDD is for summing charges, and a map needs no sum; leave one "
        "of them out");
  if (options_.grid_file && (options_.multigrid || arguments_.mode == Mode::multigrid))
    warn_about("the potential comes from GRIDFILE, so MULTIGRID has no charges to sum");
  if (options_.lattice.box && options_.lattice.border_A)
    warn_about("BORDERSIZE has no effect with XYZDIM, which sets the extent of the lattice");
  job_ = std::make_unique<Job>(job());
  if (job_->exclusion.ion_ion_A != options_.exclusion.ion_ion_A) {
    TextStream text;
    text << "R_ION_ION is " << options_.exclusion.ion_ion_A << " A and counts as "
         << job_->exclusion.ion_ion_A << " A, whole steps of " << spacing_A() << " A, as in the original";
    warn_about(text.str());
  }
  run_ = std::make_unique<StepwiseRun>(*job_, stages_, backends_);
}

/// Says that a file is written, and gives it its name: last, when nothing more can fail.
void Session::commit(OutputFile& file) const {
  file.finish();
  print_files(out_, {file.path()});
  file.commit();
}

Placement Session::batch() const {
  Placement batch = run_->result().placement;
  batch.ions.erase(batch.ions.begin(), batch.ions.begin() + std::ptrdiff_t(batch_begin_));
  return batch;
}

void Session::place(const ScriptCommand& command) {
  const KnownIon* const known = find_ion(command.name);
  const std::string_view element = known != nullptr ? known->element : element_of(command.name);
  if (element.empty())
    warn_about(command.name + " is not a known ion; it is placed with the charge " +
               charge_text(command.number) + " e, and files do not contain its element");
  if (known != nullptr && known->charge_e != command.number)
    warn_about(command.name + " is placed with the charge " + charge_text(command.number) +
               " e that was given, instead of " + charge_text(known->charge_e));
  if (std::exchange(batch_is_saved_, false)) batch_begin_ = run_->result().placement.ions.size();
  const std::size_t before = run_->result().placement.ions.size();
  const std::int64_t placed =
      run_->place({{{command.name, std::string(element), command.number}, command.count}});

  Result of_command = run_->result();
  Placement& placement = of_command.placement;
  placement.ions.erase(placement.ions.begin(), placement.ions.begin() + std::ptrdiff_t(before));
  placement.requested = command.count;
  out_ << '\n';
  if (placed > 0) print_ion_table(out_, placement, of_command.structure, output_table_style());
  out_.flush();
  if (const auto warning = repelled_ions_warning(of_command)) warn_about(*warning);
  if (placed < command.count) fail<TooFewPlaced>(too_few_message(of_command, lattice()));
}

void Session::end() const {
  if (run_ == nullptr || batch_is_saved_) return;
  const std::int64_t unsaved = std::ssize(run_->result().placement.ions) - std::int64_t(batch_begin_);
  if (unsaved > 0)
    warn_about(count_of(unsaved, "ion") + (unsaved == 1 ? " was" : " were") +
               " placed after the last SAVEION, and no file has " + (unsaved == 1 ? "it" : "them"));
}

void Session::save_ions(const ScriptCommand& command) {
  const Placement placement = batch();
  if (placement.ions.empty()) fail("there are no ions to save; place some with PLACEION");
  const Result& result = run_->result();
  PlacedSystem system{
      .remarks = protocol_remarks(result), .around = result.structure.atoms, .ions_before = batch_begin_};
  if (batch_begin_ > 0)
    system.remarks.push_back("In this file: ions " + grouped(std::int64_t(batch_begin_) + 1) + " to " +
                             grouped(std::ssize(result.placement.ions)) + " in the order of placement");
  for (const PlacedIon& ion : placement.ions) system.ions.push_back(named_as_typed(ion));
  OutputFile file(command.path);
  file.write(command.format ? system_text(system, *command.format) : system_bytes(system, command.path));
  commit(file);
  batch_is_saved_ = true;
}

void Session::save_grid(const ScriptCommand& command) {
  const Result& result = run_->result();
  const bool has_ions = !result.placement.ions.empty();
  OutputFile file(command.path);
  stages_.run("write", [&](const Progress& progress) {
    const ResultMapToWrite map =
        map_to_write(result, has_ions ? MapContents::solute_and_ions : MapContents::solute);
    if (format_of_name(command.path) || is_standard_output(command.path))
      write_map(file, map, map.all(), result.run.threads, progress);
    else
      write_dx(file, map, map.all(), DxKind::text, result.run.threads, progress);
  });
  commit(file);
}

}  // namespace ionwell::cionize
