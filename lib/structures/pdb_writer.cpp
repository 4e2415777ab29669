#include "structures/pdb_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "structures/solute_elements.hpp"
#include "structures/solute_names.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t serials = 100'000;      // columns 7-11 hold 0 to 99,999
constexpr int residue_numbers = 10'000;        // columns 23-26 hold -999 to 9,999
constexpr std::size_t ions_per_chain = 9'999;  // psfgen: unique within a segment, from 1
constexpr std::size_t remark_width = 69;       // columns 12-80
constexpr std::string_view chain_letters = "IABCDEFGHJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz";

/// One ATOM or HETATM record, before its columns.
struct Record {
  const char* kind;
  std::int64_t serial;
  std::string_view atom, residue, chain;  // a chain of more than one letter goes to the segment columns
  int residue_number;
  char insertion_code;
  Vec3<double> position_A;
  std::string_view segment, element;
  std::string charge;
};

/// Columns 31-54. The limits are those of %8.3f.
std::string coordinates(const Record& record) {
  std::string text;
  for (const double x_A : {record.position_A.x, record.position_A.y, record.position_A.z}) {
    char column[64];
    const bool fits =
        x_A > -999.9995 && x_A < 9999.9995 && std::snprintf(column, sizeof column, "%8.3f", x_A) == 8;
    if (!fits)
      fail(record.residue, ' ', record.residue_number, ' ', record.atom, " is at ", x_A,
           " A, and a PDB file holds coordinates from -999.999 to 9999.999; move the structure towards the "
           "origin");
    text += column;
  }
  return text;
}

/// Columns 13-16: the element's symbol ends in column 14.
std::string atom_columns(const Record& record) {
  std::string text(record.atom.size() < 4 && record.element.size() < 2 ? " " : "");
  text += record.atom;
  text.resize(4, ' ');
  return text;
}

/// Columns 18-21: three letters and the blank before the chain, or four letters.
std::string residue_columns(const Record& record) {
  std::string text(record.residue.size() < 3 ? 3 - record.residue.size() : 0, ' ');
  text += record.residue;
  text.resize(4, ' ');
  return text;
}

void append(std::string& text, const Record& record) {
  for (const std::string_view name : {record.atom, record.residue})
    if (name.size() > 4)
      fail(
          "the name ", quote(name), " of ", record.residue, ' ', record.residue_number, ' ', record.atom,
          " has more than 4 characters and a PDB file has no room for it; write the ions without the solute");
  char line[128];
  std::snprintf(line, sizeof line, "%-6s%5d %s %s%c%4d%c   %s  1.00  0.00      %-4.4s%2.2s%-2.2s\n",
                record.kind, int(record.serial % serials), atom_columns(record).c_str(),
                residue_columns(record).c_str(), record.chain.size() == 1 ? record.chain[0] : ' ',
                record.residue_number, record.insertion_code, coordinates(record).c_str(),
                std::string(record.segment).c_str(), std::string(record.element).c_str(),
                record.charge.c_str());
  text += line;
}

/// "2+", "1-": columns 79-80 hold one digit, so nothing for other charges.
std::string charge_columns(double charge_e) {
  const double digits = std::abs(charge_e);
  if (digits != std::round(digits) || digits > 9.0 || digits == 0.0) return {};
  return std::string(1, char('0' + int(digits))) + (charge_e > 0.0 ? '+' : '-');
}

void append_remark(std::string& text, std::string_view paragraph) {
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) text += "REMARK   6 " + line + '\n';
    line.clear();
  };
  for (std::string_view word = take_token(paragraph); !word.empty(); word = take_token(paragraph))
    for (; !word.empty(); word.remove_prefix(std::min(word.size(), remark_width))) {
      const std::string_view part = word.substr(0, remark_width);
      if (line.size() + 1 + part.size() > remark_width) flush();
      if (!line.empty()) line += ' ';
      for (const char c : part) line += c >= ' ' && c <= '~' ? c : '?';
    }
  flush();
}

/// Chains end where the input says so, where the chain's name changes, or where residues begin to count anew.
bool chain_ends_between(const Atom& atom, const Atom& next) {
  const bool wrapped = next.residue_number == 0 && atom.residue_number == residue_numbers - 1;
  return atom.ends_chain || atom.chain != next.chain ||
         (next.residue_number < atom.residue_number && !wrapped);
}

void append_solute(std::string& text, std::span<const Atom> solute) {
  for (std::size_t i = 0; i < solute.size(); ++i) {
    const Atom& atom = solute[i];
    const std::string_view chain = atom.chain.view();
    const PdbName name = pdb_name(atom);
    append(text, {.kind = is_polymer_residue(atom.residue.view()) ? "ATOM" : "HETATM",
                  .serial = std::int64_t(i) + 1,
                  .atom = name.atom,
                  .residue = name.residue,
                  .chain = chain,
                  .residue_number = atom.residue_number < 0 ? atom.residue_number % (residue_numbers / 10)
                                                            : atom.residue_number % residue_numbers,
                  .insertion_code = atom.insertion_code == '\0' ? ' ' : atom.insertion_code,
                  .position_A = atom.position_A,
                  .segment = chain.size() > 1 ? chain : std::string_view{},
                  .element = element_of(atom)});
    if (i + 1 == solute.size() || chain_ends_between(atom, solute[i + 1])) text += "TER\n";
  }
}

/// The letters for ions: those that the solute has not taken first, I before all.
std::string ion_chains(const PdbContents& contents) {
  std::string taken;
  for (const std::span<const Atom> atoms : {contents.solute, contents.around})
    for (const Atom& atom : atoms)
      if (atom.chain.view().size() == 1 && taken.find(atom.chain.view()) == std::string::npos)
        taken += atom.chain.view();
  std::string chains, last;
  for (const char letter : chain_letters) (taken.find(letter) == std::string::npos ? chains : last) += letter;
  return chains + last;
}

void append_ions(std::string& text, const PdbContents& contents) {
  const std::string chains = ion_chains(contents);
  const std::size_t most = chains.size() * ions_per_chain;
  if (contents.ions.size() > most)
    fail("a PDB file has chains and residue numbers for ", grouped(std::int64_t(most)), " ions, not for ",
         grouped(std::ssize(contents.ions)), "; place fewer");
  for (std::size_t i = 0; i < contents.ions.size(); ++i) {
    const PdbIon& ion = contents.ions[i];
    const std::size_t chain = i / ions_per_chain;
    const std::string segment = chain == 0 ? "ION" : (chain < 9 ? "ION" : "IO") + std::to_string(chain + 1);
    append(text, {.kind = "HETATM",
                  .serial = std::int64_t(contents.solute.size() + i) + 1,
                  .atom = ion.atom,
                  .residue = ion.residue,
                  .chain = std::string_view(chains).substr(chain, 1),
                  .residue_number = int(i % ions_per_chain) + 1,
                  .insertion_code = ' ',
                  .position_A = ion.position_A,
                  .segment = segment,
                  .element = ion.element,
                  .charge = charge_columns(ion.charge_e)});
    text += "TER\n";
  }
}

}  // namespace

std::string pdb_text(const PdbContents& contents) {
  constexpr std::size_t line_length = 81;
  std::string text;
  text.reserve(line_length * (contents.solute.size() + 2 * contents.ions.size() + 32));
  for (const std::string& remark : contents.remarks) append_remark(text, remark);
  append_solute(text, contents.solute);
  append_ions(text, contents);
  text += "END\n";
  return text;
}

void check_pdb_name(const std::string& path) {
  constexpr std::string_view others[] = {".gz",  ".bz2", ".xz",  ".zst",  ".zip", ".cif", ".mmcif", ".bcif",
                                         ".gro", ".pqr", ".psf", ".mol2", ".xyz", ".crd", ".dx",    ".json"};
  const std::string name = lower_case(path);
  for (const std::string_view ending : others)
    if (name.ends_with(ending))
      fail<UsageError>("-o is ", path,
                       ", but the ions are written as a PDB file, not packed; let it end in .pdb");
}

}  // namespace ionwell
