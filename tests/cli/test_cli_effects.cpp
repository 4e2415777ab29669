// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

/// An option of a command, where it can have no effect, and what the message calls that.
struct Useless {
  std::string option, context, message;
};

/// What each option of a command is good for: those that can be useless, with a use where they are, and those
/// that have an effect in each use, or in all that is refused for another reason.
struct Effects {
  std::string command, base;
  std::vector<Useless> useless;
  std::string always;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word == "DUPLEX" ? duplex : word);
  return words;
}

const std::vector<Useless> of_a_pqr_file = {
    {"--charges amber", "", "with " + duplex},   {"--keep-pdb2pqr d", "", "with " + duplex},
    {"--assembly 1", "", "with " + duplex},      {"--frame 2", "", "with " + duplex},
    {"--define FLEXIBLE", "", "with " + duplex}, {"--include /tmp", "", "with " + duplex},
};

const std::vector<Useless> of_a_sum = {
    {"--tune msm-cutoff=9", "--method direct", "with --method direct"},
    {"--tune msm-spacing=2", "--method direct", "with --method direct"},
    {"--tune msm-basis=cubic", "--method direct", "with --method direct"},
    {"--accuracy 1e-4", "--method msm", "with --method msm"},
    {"--accuracy 1e-4", "--tune msm-cutoff=9", "with --tune msm-cutoff"},
    {"--devices 0", "--backend cpu", "with --backend cpu"},
    {"--tune gpu-memory=1", "--backend cpu", "with --backend cpu"},
    {"--tune checkpoint-every=9", "", "without --checkpoint or --resume"},
};

const std::vector<Useless> of_charges = {
    {"--dielectric 4", "--ddd 3", "with --ddd"},
    {"--ionic-strength 0.1", "--ddd 3", "with --ddd"},
};

const std::vector<Useless> of_a_map = {
    {"--map-unit mV", "", "without --map"},
    {"--tune map-interpolation=tricubic", "--pb own", "without --map"},
    {"--update none", "", "without --map or --pb own"},
    {"--tune update-dielectric=40", "", "without --map or --pb own"},
    {"--tune update-dielectric=40", "--map m.dx --update none", "with --update none"},
    {"--map m.dx", "--pb own", "with --pb own"},
    {"--dielectric 4", "--map m.dx", "with --map"},
    {"--ddd 4", "--pb own", "with --pb own"},
    {"--method direct", "--map m.dx", "with --map"},
    {"--tune msm-cutoff=9", "--pb own", "with --pb own"},
    {"--accuracy 1e-4", "--map m.dx", "with --map"},
    {"--ionic-strength 0.1", "--map m.dx --update coulomb", "with --update coulomb"},
};

const std::vector<Useless> of_a_folder = {
    {"--ion-names amber", "--for amber", "with --for"},
    {"--pdb-serials hex", "--for amber", "with --for"},
    {"--force-field charmm27", "", "without --for gromacs"},
    {"--force-field charmm27", "--for amber", "without --for gromacs"},
};

const std::vector<Useless> of_salt = {
    {"--scheme add", "", "without --salt"},
    {"--salt-by random", "", "without --salt"},
    {"--tune salt-solute=4", "", "without --salt"},
    {"--seed 2", "", "without --salt"},
    {"--tune salt-solute=4", "--salt NaCl:0.1 --salt-by energy", "with --salt-by energy"},
    {"--seed 2", "--salt NaCl:0.1 --salt-by energy", "with --salt-by energy"},
};

std::vector<Useless> joined(std::initializer_list<std::vector<Useless>> parts) {
  std::vector<Useless> all;
  for (const std::vector<Useless>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Useless> without(const std::string& option, std::vector<Useless> all) {
  std::erase_if(all, [&](const Useless& useless) { return useless.option == option; });
  return all;
}

const std::vector<Useless> of_ions = {
    {"--ion-names amber", "-o x.xyz", "with a file without names as -o"},
    {"--ion-names amber", "-o x.rst7.gz", "with a file without names as -o"},
    {"--pdb-serials hex", "-o x.xyz", "without a PDB file as -o"},
};

/// How a structure is read, where none is.
std::vector<Useless> of_a_structure(const std::string& context, const std::string& message) {
  std::vector<Useless> all;
  for (const char* const option :
       {"--solute protein", "--ignore protein", "--input-water ignore", "--charges amber", "--keep-pdb2pqr d",
        "--assembly 1", "--frame 2", "--define X", "--include d"})
    all.push_back({option, context, message});
  return all;
}

std::vector<Effects> all_effects() {
  const std::string no_box = "without a box of water";
  return {
      {"place", "DUPLEX --ion NA:1",
       joined({of_a_pqr_file,
               of_a_sum,
               of_charges,
               of_a_map,
               of_a_folder,
               of_ions,
               of_salt,
               {{"--hydrate-as waters", "", "without --hydrate"},
                {"--tune hydrate-water=spce", "", "without --hydrate"},
                {"--hydrate-as residue", "--hydrate MG --for amber", "with --for"},
                {"--salt NaCl:0.1", "", no_box},
                {"--tune keep-water=3", "", no_box},
                {"--tune replace-crystal-water", "", no_box},
                {"--water-acts", "", no_box},
                {"--near nucleic:9", "", no_box},
                {"--not-near nucleic:9", "", no_box},
                {"--inside-z 0:9", "", no_box},
                {"--tune in-membrane", "", no_box},
                {"--border 9", "--box 0,0,0,9,9,9", "with --box"},
                {"--pb-every 2", "", "without --pb own or apbs"},
                {"--pb-option pdie=2", "", "without --pb own or apbs"},
                {"--ion-radius NA:2", "", "without --pb own or apbs"},
                {"--pb-energy", "", "without --pb own or apbs"},
                {"--pb-energy", "--pb apbs", "without --pb own"},
                {"--tune pb-timeout=9", "--pb own", "without --pb apbs"},
                {"--tune pb-program=apbs", "--pb own", "without --pb apbs"},
                {"--tune keep-scratch=d", "--pb own", "without --pb apbs"},
                {"--tune model-file=m.json", "", "without --model sites or site-terms"},
                {"--temperature 310", "--model sites", "with --model sites"},
                {"--map m.dx", "--model sites", "with --model sites"},
                {"--pb own", "--model sites", "with --model sites"},
                {"--salt NaCl:0.1", "--model sites", "with --model sites"},
                {"--tune no-refine", "--model site-terms", "with --model site-terms"},
                {"--tune msm-basis=cubic", "--model sites", "with --model sites"},
                {"--save-map m.dx", "--model sites", "with --model sites"},
                {"--save-map m.dx", "--pb own", "with --pb own"},
                {"--save-map-after m.dx", "--pb own", "with --pb own"},
                {"--with-solute", "--for amber", "with --for"},
                {"--view vmd", "--for amber", "with --for"}}}),
       // In a box of water, which test_cli_box.cpp has: --spacing, --box, --hydrate and others of a lattice.
       "ion ion-solute ion-ion max-energy allow-fewer hydrate boundary solute ignore input-water spacing box "
       "model "
       "output for report quiet html backend threads simd checkpoint resume"},
      {"solvate", "DUPLEX",
       joined({without("--keep-pdb2pqr d", of_a_pqr_file),
               {{"--keep-pdb2pqr d", "", "without --charges"},
                {"--padding 9", "--cell 50,50,50", "with --cell"},
                {"--cell-shape cube", "--cell 50,50,50", "with --cell"},
                {"--orient", "--cell 50,50,50", "with --cell"},
                {"--water-names pdb", "--for amber", "with --for"},
                {"--force-field charmm27", "", "without --for gromacs"},
                {"--force-field charmm27", "--for amber", "without --for gromacs"},
                {"--water-names pdb", "-o x.xyz", "with a file without names as -o"},
                {"--pdb-serials hex", "-o x.gro", "without a PDB file as -o"}}}),
       "cell cutoff water-model smallest-cavity solute ignore input-water output for report quiet threads"},
      {"prepare", "DUPLEX --ion NA:1",
       joined({of_a_pqr_file,
               of_charges,
               of_a_folder,
               of_ions,
               of_salt,
               {{"--padding 9", "--cell 50,50,50", "with --cell"},
                {"--cell-shape cube", "--cell 50,50,50", "with --cell"},
                {"--orient", "--cell 50,50,50", "with --cell"},
                {"--water-names pdb", "--for amber", "with --for"},
                {"--water-names pdb", "-o x.xyz", "with a file without names as -o"},
                {"--devices 0", "--backend cpu", "with --backend cpu"},
                {"--tune gpu-memory=1", "--backend cpu", "with --backend cpu"},
                {"--hydrate MG:6", "", "without --model sites or site-terms"},
                {"--tune model-file=m.json", "", "without --model sites or site-terms"},
                {"--tune checkpoint-every=9", "", "without --checkpoint or --resume"}}}),
       "ion ion-solute ion-ion max-energy allow-fewer model salt boundary keep-water replace-crystal-water "
       "water-acts near "
       "not-near inside-z in-membrane cell cutoff water-model smallest-cavity solute ignore input-water ddd "
       "temperature output for report quiet html preset save-preset backend threads simd checkpoint resume"},
      {"map", "DUPLEX -o m.dx",
       joined({of_a_pqr_file,
               of_a_sum,
               of_charges,
               {{"--border 9", "--box 0,0,0,9,9,9", "with --box"},
                {"--dielectric 4", "--pb own", "with --pb own"},
                {"--ddd 3", "--pb own", "with --pb own"},
                {"--pb-option pdie=2", "", "without --pb own"},
                {"--pb-energy", "", "without --pb own"},
                {"--pb-maps eps", "", "without --pb own"},
                {"--method direct", "--pb own", "with --pb own"},
                {"--tune msm-basis=cubic", "--pb own", "with --pb own"},
                {"--checkpoint c", "--pb own", "with --pb own"},
                {"--resume c", "--pb own", "with --pb own"}}}),
       "output to-unit report quiet solute ignore input-water spacing box ionic-strength temperature pb "
       "backend "
       "threads simd"},
      {"average", "t.psf t.dcd -o m.dx",
       joined({of_a_sum,
               of_charges,
               {{"--blocks 5", "", "without se in --statistics"},
                {"--blocks 5", "--statistics mean,sd", "without se in --statistics"},
                {"--reference r.pdb", "", "without --fit"},
                {"--border 9", "--box 0,0,0,9,9,9", "with --box"},
                {"--lattice-from all", "--box 0,0,0,9,9,9", "with --box"},
                {"--ewald-factor 0.25", "", "without --boundary periodic"},
                {"--method msm", "--boundary periodic", "with --boundary periodic"},
                {"--accuracy 1e-4", "--boundary periodic", "with --boundary periodic"},
                {"--tune msm-cutoff=9", "--boundary periodic", "with --boundary periodic"}}}),
       // Of its topologies: --define and --include.
       "output to-unit statistics report quiet first last every fit keep-images skip-bad-frames solute "
       "ignore "
       "input-water "
       "define include spacing box ddd temperature boundary backend threads simd checkpoint resume"},
      {"potential", "DUPLEX",
       joined({of_charges,
               {{"--charges amber", "--at p.csv -o v.csv", "with " + duplex},
                {"--keep-pdb2pqr d", "--at p.csv -o v.csv", "with " + duplex},
                {"--assembly 1", "--at p.csv -o v.csv", "with " + duplex},
                {"--frame 2", "--at p.csv -o v.csv", "with " + duplex},
                {"--define FLEXIBLE", "--at p.csv -o v.csv", "with " + duplex},
                {"--include /tmp", "--at p.csv -o v.csv", "with " + duplex},
                {"--at p.csv", "--surface ses", "with --surface"},
                {"--edge-length 1", "--at p.csv", "without --surface"},
                {"--vertex-density 1", "--at p.csv", "without --surface"},
                {"--probe 1", "--at p.csv", "without --surface"},
                {"--probe 1", "--surface vdw", "without --surface ses or sas"},
                {"--edge-length 1", "--surface ses --vertex-density 2", "with --vertex-density"},
                {"--colour-limit 3", "--at p.csv -o v.csv", "without a coloured file"},
                {"--map m.dx", "--pb own", "with --pb own"},
                {"--map m.dx", "--alpb", "with --alpb"},
                {"--alpb", "--pb own", "with --pb own"},
                {"--solute-dielectric 2", "", "without --alpb"},
                {"--ddd 3", "--alpb", "with --alpb"},
                {"--map-unit mV", "", "without --map"},
                {"--tune map-interpolation=tricubic", "", "without --map or --pb own"},
                {"--pb-option pdie=2", "", "without --pb own"},
                {"--pb-energy", "", "without --pb own"},
                {"--spacing 1", "", "without --pb own"},
                {"--border 9", "", "without --pb own"},
                {"--dielectric 2", "--map m.dx", "with --map"},
                {"--ionic-strength 0.1", "--map m.dx", "with --map"},
                {"--method direct", "--map m.dx", "with --map"},
                {"--accuracy 0.01", "--map m.dx", "with --map"},
                {"--accuracy 0.01", "--method direct", "with --method direct"},
                {"--tune hcp-thresholds=10,70", "", "without --method hcp"},
                {"--tune hcp-charges=1", "--method direct", "without --method hcp"},
                {"--backend gpu", "--map m.dx", "with --map"},
                {"--devices 0", "--map m.dx", "with --map"},
                {"--tune gpu-memory=1", "--map m.dx", "with --map"},
                {"--tune simd=avx2", "--map m.dx", "with --map"},
                {"--devices 0", "--backend cpu", "with --backend cpu"},
                {"--checkpoint c", "--map m.dx", "with --map"},
                {"--resume c", "--pb own", "with --pb own"},
                {"--tune checkpoint-every=9", "", "without --checkpoint or --resume"}}}),
       "surface output report quiet solute ignore input-water temperature pb threads"},
      {"sample", "DUPLEX --ion NA:1",
       joined({of_a_pqr_file,
               of_a_sum,
               of_charges,
               of_a_map,
               of_ions,
               {{"--sweeps 100", "--sampler bd", "with --sampler bd"},
                {"--steps 100", "", "without --sampler bd"},
                {"--time-step 0.01", "", "without --sampler bd"},
                {"--diffusion NA:0.1", "", "without --sampler bd"},
                {"--tune bulk-sweeps=100", "", "without --salt"},
                {"--tune density-spacing=2", "", "without --density or --occupancy"},
                {"--around protein", "", "without --rdf"},
                {"--rdf r.csv", "", "without --around"},
                {"--rdf-reach 9", "", "without --rdf"},
                {"--tune rdf-step=1", "", "without --rdf"},
                {"--cell 50,50,50", "", "without --boundary periodic"},
                {"--wall-distance 9", "--boundary periodic", "with --boundary periodic"},
                {"--box 0,0,0,9,9,9", "--boundary periodic", "with --boundary periodic"},
                {"--wall-distance 9", "--box 0,0,0,9,9,9", "with --box"},
                {"--pb own", "--boundary periodic", "with --boundary periodic"},
                {"--method direct", "--boundary periodic", "with --boundary periodic"},
                {"--pb-option pdie=2", "", "without --pb own"}}}),
       "ion salt ion-radius repulsion start sampler interpolation equilibration sample-every replicas blocks "
       "seed "
       "output with-solute "
       "density occupancy "
       "within report quiet solute ignore input-water boundary spacing temperature backend "
       "threads "
       "simd checkpoint resume"},
      {"convert", "",
       joined({of_a_structure("a.dx b.dx", "with a map as the last file"),
               {{"--map-unit mV", "a.pdb b.pqr", "without a map as the last file"},
                {"--to-unit mV", "a.pdb b.pqr", "without a map as the last file"},
                {"--temperature 300", "a.pdb b.pqr", "without a map as the last file"}}}),
       "threads quiet"},
      {"info", "",
       joined({of_a_structure("", "without a structure"),
               {{"--spacing 1", "", "without a structure"},
                {"--border 9", "", "without a structure"},
                {"--border 9", "DUPLEX --box 0,0,0,9,9,9", "with --box"},
                {"--box 0,0,0,9,9,9", "", "without a structure"},
                {"--report r.json", "", "without a structure"}}}),
       ""},
      {"compare", "",
       joined({of_a_structure("a.pdb b.pdb", "without --ion"),
               {{"--site-weights occupancy", "DUPLEX --ion MG:1", "with --ion"},
                {"--random-around a.pdb", "DUPLEX --ion MG:1", "with --ion"},
                {"--seed 2", "DUPLEX --ion MG:1", "with --ion"},
                {"--seed 2", "a.pdb b.pdb", "without --random-around"},
                {"--protocol ddd", "a.pdb b.pdb", "without --ion"},
                {"--pb own", "a.pdb b.pdb", "without --ion"},
                {"--checkpoint c", "a.pdb b.pdb", "without --ion"},
                {"--resume c", "a.pdb b.pdb", "without --ion"},
                {"--tune checkpoint-every=9", "DUPLEX --ion MG:1", "without --checkpoint or --resume"}}}),
       "sites ion report quiet threads"},
      {"completion", "", {}, ""},
  };
}

/// What decides about an entry of the PDB is useless where an assembly of one is.
std::vector<Useless> with_entry_options(std::vector<Useless> all) {
  for (std::size_t n = 0; n < all.size(); ++n)
    if (const Useless like = all[n]; like.option == "--assembly 1")
      for (const char* const option :
           {"--ligand l.mol2", "--pH 5", "--five-phosphate keep", "--crystal-ions ignore",
            "--gap-ends capped", "--replace-nonstandard", "--allow-missing"})
        all.push_back({option, like.context, like.message});
  return all;
}

std::set<std::string> options_of(const std::string& command) {
  std::string text = run_ionwell({command, "--help-all"}).out;
  std::istringstream help(text);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text[at] = ' ';  // lines are broken
  std::set<std::string> options;
  for (std::string line; std::getline(help, line);) {
    const std::size_t dashes = line.find("--");
    if (dashes == 2 || (dashes == 6 && line.substr(0, 3) == "  -"))
      options.insert(line.substr(dashes + 2, line.find(' ', dashes) - dashes - 2));
  }
  if (options.erase("tune") == 0) return options;
  std::istringstream keys(text.substr(text.find("keys: ") + 6));  // up to the first without a comma
  for (std::string key; keys >> key;) {
    options.insert(key.substr(0, key.find(',')));
    if (key.back() != ',') break;
  }
  return options;
}

}  // namespace

TEST_CASE("options: one that has no effect is refused before anything is computed") {
  const TemporaryFolder folder;
  for (const Effects& command : all_effects()) {
    CAPTURE(command.command);
    std::set<std::string> known;
    for (const std::string& name : words_of(command.always)) known.insert(name);
    for (const Useless& useless : with_entry_options(command.useless)) {
      CAPTURE(useless.option);
      CAPTURE(useless.context);
      const std::vector<std::string> option = words_of(useless.option), context = words_of(useless.context);
      const bool is_key = option[0] == "--tune";
      known.insert(is_key ? option[1].substr(0, option[1].find('=')) : option[0].substr(2));
      std::vector<std::string> words = {command.command};
      for (const std::vector<std::string>& more : {words_of(command.base), context, option})
        words.insert(words.end(), more.begin(), more.end());
      const bool has_output = std::find(words.begin(), words.end(), "-o") != words.end();
      const std::set<std::string> with_output = {"place", "solvate", "prepare", "sample"};
      if (!has_output && with_output.count(command.command) > 0) {
        words.insert(words.end(), {"-o", folder / (std::ranges::count(words, "--for") ? "out" : "x.pdb")});
      }
      const ProgramResult result = run_ionwell(words);
      CHECK(result.exit_code == 2);
      CHECK(result.out.empty());
      CHECK(result.err.find('\n') == result.err.size() - 1);
      CAPTURE(result.err);
      std::string named = option[0];
      if (is_key) named += ' ' + option[1].substr(0, option[1].find('='));
      // A rule may be of an option's word alone.
      const std::string with_word = is_key || option.size() < 2 ? named : named + ' ' + option[1];
      CHECK(std::ranges::any_of(std::vector<std::string>{named, with_word}, [&](const std::string& name) {
        return result.err.starts_with("ionwell: " + name + " has no effect " + useless.message) ||
               result.err.starts_with("ionwell: " + name + " cannot be used " + useless.message);
      }));
      CHECK(result.err.find("; ") != std::string::npos);  // what to do
    }
    CHECK(known == options_of(command.command));
  }
  CHECK(folder.entries().empty());
}
