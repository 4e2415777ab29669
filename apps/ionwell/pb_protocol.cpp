#include "ionwell/pb_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "core/chemistry/ion_radius.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "maps/map_file.hpp"
#include "parallel/thread_count.hpp"
#include "programs/child_process.hpp"
#include "programs/scratch_folder.hpp"

namespace ionwell {
namespace {

// Of the published protocols (Stone et al. 2007): at most 1 A apart, 8 A beyond the solute.
constexpr double published_spacing_A = 1.0, published_border_A = 8.0;
constexpr const char* stem = "pot";

std::vector<std::pair<std::string, double>> read_radii(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> radii;
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':');
    const auto radius = colon == std::string::npos ? std::nullopt : parse_number(text.substr(colon + 1));
    if (!radius || !(*radius >= 0.0) || colon == 0)
      fail<UsageError>("--pb-radius is '", text, "'; write it as NAME:RADIUS in A, for example NCO:3.2");
    radii.emplace_back(text.substr(0, colon), *radius);
  }
  return radii;
}

/// Whether a line speaks of an error, as the words before a program's last often do.
bool is_complaint(std::string_view text) {
  const std::string line = lower_case(text);
  if (line.starts_with("asc_gettoken")) return false;  // APBS says that of every input file
  for (const char* const word : {"error", "unrecognized", "assert", "unable", "cannot", "fail", "invalid"})
    if (line.find(word) != line.npos) return true;
  return false;
}

/// What a program's output says of the error: the first line that speaks of one, or else the last line that
/// says something.
std::string last_words(const std::string& path) {
  std::string result;
  try {
    const FileBytes bytes = read_input_file(path);
    LineScanner lines(bytes.text());
    for (std::string_view line; lines.next(line);)
      if (const std::string_view text = trim(line);
          !text.empty() && text.find_first_not_of("-=") != text.npos)
        if (result = text; is_complaint(text)) break;
  } catch (const Error&) {
    return {};  // nothing was written
  }
  return result.empty() ? result : "; its last words: " + quote(result);
}

/// What APBS wrote: the name we gave, or with -PE0, as builds with MPI write.
std::string written_map(const ScratchFolder& folder) {
  for (const char* const ending : {".dxbin", "-PE0.dxbin", ".dx", "-PE0.dx"})
    if (std::string path = folder / (std::string(stem) + ending); std::filesystem::exists(path)) return path;
  return {};
}

/// A solve of this protocol must not find the map of the one before.
void remove_old(const ScratchFolder& folder) {
  for (std::string path = written_map(folder); !path.empty(); path = written_map(folder))
    if (std::error_code error; !std::filesystem::remove(path, error))
      fail("cannot remove ", path, ": ", error.message(), "; choose another folder for --keep-scratch");
}

Box pb_box(const Structure& structure, const LatticeArguments& lattice) {
  if (lattice.box) return *lattice.box;
  const double border_A = lattice.border_A.value_or(published_border_A);
  const Box atoms = bounding_box(structure.atoms);
  const Vec3<double> border{border_A, border_A, border_A};
  return {atoms.lowest_A - border, atoms.highest_A + border};
}

/// The ions first to first + count of all requests.
std::vector<IonRequest> batch(const std::vector<IonRequest>& requests, std::int64_t first,
                              std::int64_t count) {
  std::vector<IonRequest> result;
  for (const IonRequest& request : requests) {
    const std::int64_t skipped = std::min(first, request.count),
                       taken = std::min(count, request.count - skipped);
    first -= skipped;
    count -= taken;
    if (taken > 0) result.push_back({request.species, taken});
  }
  return result;
}

}  // namespace

void add_pb_options(OptionGroup& group, PbArguments& pb) {
  const std::string spacing = default_text(published_spacing_A), border = default_text(published_border_A);
  group.add_choice(
      "pb", pb.solver, {{"none", PbSolver::none}, {"apbs", PbSolver::apbs}},
      "have APBS compute the potential, again after every few ions; --spacing is then the largest spacing "
      "(default " +
          spacing + "), --border has a default of " + border);
  group.add("pb-every", pb.every, "N",
            "ions placed in one map: 5 is the published hybrid protocol, 1 the iterated one");
  group.add("pb-option", pb.options, "KEY=VALUE",
            "line of APBS's input in place of the usual one, as in pdie=2 or npbe; may be repeated");
  group.add("pb-radius", pb.radii, "NAME:R",
            "radius of a placed ion in A, in place of Shannon's; may be repeated");
  group.add("pb-timeout", pb.timeout_s, "S", "longest time that one solve may take, 0 for no limit");
  group.add("pb-program", pb.program, "FILE", "the program");
  group.add("keep-scratch", pb.keep_scratch, "DIR", "keep the last solve's files there");
}

void validate(const PbArguments& pb) {
  static const PbArguments usual;
  if (!pb.given()) {
    const char* const option = pb.every != usual.every           ? "--pb-every"
                               : !pb.options.empty()             ? "--pb-option"
                               : !pb.radii.empty()               ? "--pb-radius"
                               : pb.timeout_s != usual.timeout_s ? "--pb-timeout"
                               : pb.program != usual.program     ? "--pb-program"
                               : pb.keep_scratch                 ? "--keep-scratch"
                                                                 : nullptr;
    if (option != nullptr) fail<UsageError>(option, " is for --pb apbs; add that, or leave it out");
    return;
  }
  if (pb.every < 1) fail<UsageError>("--pb-every is ", pb.every, "; it must be at least 1");
  if (!(pb.timeout_s >= 0.0))
    fail<UsageError>("--pb-timeout is ", pb.timeout_s, " s; it must not be negative");
  for (const std::string& option : pb.options) check_apbs_option(option);
  read_radii(pb.radii);
}

void adopt_solution(const PbArguments& pb, ElectrostaticsOptions& electrostatics, MapArguments& map) {
  const SolutionOptions solution = solution_of(pb.options);
  if (solution.ionic_strength_M && electrostatics.ionic_strength_M)
    fail<UsageError>(
        "--ionic-strength and --pb-option ion=... both say what the salt is; leave one of them out");
  if (solution.ionic_strength_M) electrostatics.ionic_strength_M = solution.ionic_strength_M;
  if (map.update == Update::debye_hueckel && !map.update_dielectric)
    map.update_dielectric = solution.dielectric;
}

MapArguments with_hybrid_default(MapArguments map) {
  if (map.update == Update::automatic) map.update = Update::coulomb;
  return map;
}

PbProtocol::PbProtocol(const PbArguments& arguments, const Structure& structure,
                       const LatticeArguments& lattice, const ElectrostaticsOptions& electrostatics,
                       const std::vector<IonRequest>& requests)
    : arguments_(arguments), structure_(structure), radius_A_(read_radii(arguments.radii)) {
  program_ = find_program(arguments.program);
  if (program_.empty())
    fail("there is no program ", arguments.program,
         " to solve the Poisson-Boltzmann equation with; Debian and Ubuntu have it in the package apbs, and "
         "--pb-program "
         "tells where it is");
  program_ = std::filesystem::absolute(program_).string();
  calculation_ = apbs_calculation(pb_box(structure, lattice), bounding_box(structure.atoms),
                                  lattice.spacing_A.value_or(published_spacing_A));
  calculation_.temperature_K = electrostatics.temperature_K;
  if (electrostatics.ionic_strength_M) calculation_.ionic_strength_M = *electrostatics.ionic_strength_M;
  calculation_.options = arguments.options;
  calculation_.fine = with_grid_options(calculation_.fine, arguments.options);
  solve_s_ = apbs_seconds(calculation_.fine);
  remove_left_scratch();
  for (const auto& given : radius_A_)  // Clang before 16 captures no structured bindings
    if (std::none_of(requests.begin(), requests.end(),
                     [&](const IonRequest& request) { return request.species.name == given.first; }))
      fail<UsageError>("--pb-radius gives ", given.first,
                       " a radius, but no --ion places that; correct the name");
  for (const IonRequest& request : requests) {
    requested_ += request.count;
    const IonSpecies& species = request.species;
    const auto known = std::find_if(radius_A_.begin(), radius_A_.end(),
                                    [&](const auto& entry) { return entry.first == species.name; });
    if (known != radius_A_.end()) continue;
    const auto radius = ionic_radius_A(species.element, species.charge_e);
    if (!radius)
      fail<UsageError>("the radius of ", species.name, " with a charge of ", species.charge_e,
                       " e is not known; give it with --pb-radius ", species.name, ":R");
    radius_A_.emplace_back(species.name, *radius);
  }
}

std::vector<Atom> PbProtocol::atoms_with(const Placement& placement) const {
  std::vector<Atom> atoms = structure_.atoms;
  for (const PlacedIon& ion : placement.ions) {
    const auto radius = std::find_if(radius_A_.begin(), radius_A_.end(),
                                     [&](const auto& entry) { return entry.first == ion.species.name; });
    atoms.push_back(
        {.position_A = ion.position_A, .charge_e = ion.species.charge_e, .radius_A = radius->second});
  }
  return atoms;
}

Map PbProtocol::solve(const Placement& placement, std::int64_t number, int threads, const SignalNotes& notes,
                      const Progress& progress) {
  const ScratchFolder folder(arguments_.keep_scratch);
  remove_old(folder);
  write_file(folder / "solute.pqr", apbs_pqr(atoms_with(placement)));
  write_file(folder / "apbs.in", apbs_input(calculation_, "solute.pqr", stem));
  const std::string output = folder / "apbs.out";
  const ChildResult result = run_child(
      {program_, "apbs.in"},
      {.folder = folder.path(),
       .removes_folder = !arguments_.keep_scratch,
       .output_path = output,
       // Measured with 3.4.1 on two busy cores, 65^3 points: 5.2 s with threads that spin, 1.0 s with these.
       .environment = {"OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=" + std::to_string(threads)},
       .timeout_s = arguments_.timeout_s},
      notes, [&](double seconds) {
        constexpr double almost = 0.99;
        progress(std::min(almost, seconds / solve_s_));
      });
  const std::string which = "APBS (" + program_ + "), solve " + std::to_string(number + 1) + " of " +
                            std::to_string(solves()) + ", ";
  const std::string look = arguments_.keep_scratch
                               ? "; see apbs.in and apbs.out in " + *arguments_.keep_scratch
                               : "; --keep-scratch DIR keeps its files";
  if (result.timed_out)
    fail(which, "was ended after ", arguments_.timeout_s, " s (--pb-timeout)", last_words(output), look);
  if (result.signal != 0)
    fail(which, "was killed by signal ", result.signal,
         result.signal == SIGKILL ? ", perhaps for want of memory" : "", last_words(output), look);
  if (result.exit_code != 0)
    fail(which, "failed with exit code ", result.exit_code, last_words(output), look);
  const std::string path = written_map(folder);
  if (path.empty()) fail(which, "ended without an error, but wrote no map", last_words(output), look);
  solve_s_ = std::max(result.seconds, 1e-3);
  try {
    return read_map(path, threads);
  } catch (const Error& error) {
    fail(which, "wrote a map that is not complete; is the disk full? ", error.what(), look);
  }
}

void PbProtocol::place(const std::vector<IonRequest>& requests, const ExclusionOptions& exclusion,
                       double most_kT, const PairPotential& pair, const BackendChoice& backend,
                       const FieldOptions& options, Stages& stages, Placement& placement) {
  std::vector<Vec3<double>> centres;
  for (const Atom& atom : structure_.atoms) centres.push_back(atom.position_A);
  placement.requested = requested_;
  const SignalNotes notes;
  for (std::int64_t number = 0; number < solves(); ++number) {
    const std::string shown = "solve " + std::to_string(number + 1) + '/' + std::to_string(solves());
    Map map = stages.run("solve", shown, [&](const Progress& progress) {
      return solve(placement, number, thread_count(options.threads), notes, progress);
    });
    notes.check();
    if (!map.unit) map.unit = MapUnit::kT_e;  // APBS's
    convert_unit(map, MapUnit::kT_e, calculation_.temperature_K);
    if (lattice_ && *lattice_ != map.lattice)
      fail("APBS's map of solve ", number + 1,
           " has another lattice than the first one's; give the grid's centre and "
           "length as numbers in --pb-option");
    lattice_ = map.lattice;
    auto masked = make_lattice(backend, map.lattice, pair, options);
    masked->exclude(centres, exclusion.ion_solute_A);
    const auto field = fill(std::move(masked), ImportedMap{map.all()}, {});
    // The map has the ions of before in it; they only keep the others away.
    for (const PlacedIon& ion : placement.ions) field->add_ion({ion.position_A, 0.0}, exclusion.ion_ion_A);
    Placement added = stages.run("placement", [&](const Progress&) {
      return place_ions(*field, structure_,
                        batch(requests, std::int64_t(placement.ions.size()), arguments_.every), exclusion, {},
                        most_kT, options.threads);
    });
    placement.ions.insert(placement.ions.end(), added.ions.begin(), added.ions.end());
    placement.refused_kT = added.refused_kT;
    const FieldStatistics statistics = field->statistics();
    if (number == 0) statistics_ = statistics;
    if (number > 0) statistics_.add(statistics);
    find_neighbours(placement, structure_.atoms, options.threads);
    notes.check();
    if (std::ssize(added.ions) < added.requested) return;
  }
}

}  // namespace ionwell
