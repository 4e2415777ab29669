// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "files/text_pieces.hpp"
#include "maps/map_file.hpp"
#include "structures/formats/pdb_sites.hpp"
#include "structures/formats/read_structure.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "support/error_of.hpp"
#include "support/map_samples.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// A pipe under a name, into which a thread writes `bytes` over and over, `times` times or until it is
/// closed.
class NamedPipe {
 public:
  NamedPipe(const std::string& name, std::string bytes, std::int64_t times = 1) : path_(folder_ / name) {
    std::signal(SIGPIPE, SIG_IGN);
    if (mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("cannot make " + path_);
    writer_ = std::thread([path = path_, bytes = std::move(bytes), times] {
      std::ofstream file(path, std::ios::binary);
      for (std::int64_t n = 0; n < times && (file << bytes); ++n) {
      }
    });
  }
  NamedPipe(const NamedPipe&) = delete;
  NamedPipe& operator=(const NamedPipe&) = delete;
  ~NamedPipe() { writer_.join(); }

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
  std::thread writer_;
};

constexpr std::int64_t endless = std::int64_t{1} << 40;

const std::string atom = "ATOM      1  N   MET A   1      11.269 124.021 231.688  0.7500 1.8240\n";

/// What reading it says of the pipe named x, without the folder.
template <typename Read>
std::string refusal(const std::string& bytes, const Read& read) {
  const NamedPipe pipe("x", bytes, endless);
  const std::string message = error_of([&] { read(pipe.path()); });
  return message.substr(message.find("/x: ") == message.npos ? 0 : message.find("/x: ") + 4);
}

}  // namespace

TEST_CASE("input: the beginning is there before the rest, and nothing of it is lost") {
  std::string text;
  for (int n = 0; n < 50'000; ++n) text += std::to_string(n) + '\n';
  NamedPipe pipe("x", text);
  InputFile file(pipe.path());
  CHECK(file.head() == std::string_view(text).substr(0, 1 << 16));
  CHECK(!file.can_be_reopened());
  file.lengthen_head(100'000);
  CHECK(file.head().size() >= 100'000);
  CHECK(text.starts_with(file.head()));
  InputFile moved = std::move(file);
  CHECK(moved.read_all().text() == text);
  CHECK(moved.head().empty());

  const TemporaryFolder folder;
  write_text(folder / "a", text);
  InputFile regular(folder / "a");
  CHECK(regular.can_be_reopened());
  CHECK(regular.read_all().text() == text);
  NamedPipe long_one("x", text, endless);
  InputFile limited(long_one.path());
  CHECK(error_of([&] { limited.read_all({.unpacked_bytes = 1'000'000}); }) ==
        long_one.path() + ": contains more than 1,000,000 bytes; write it to a file first");
}

TEST_CASE("input: pieces of whole lines make up a file, and a line that is longer than a piece stays whole") {
  std::string text;
  for (int n = 0; text.size() < 40'000'000; ++n) text += std::to_string(n) + (n % 3 == 0 ? "\r\n" : "\n");
  const std::string one_line(20'000'000, 'x');
  const TemporaryFolder folder;
  for (const std::string& whole : {text, text + "no end", one_line, one_line + '\n' + text}) {
    write_text(folder / "a", whole);
    InputFile file(folder / "a");
    std::string joined, last = "\n";
    int pieces = 0;
    for (std::string_view piece = file.next_piece(); !piece.empty(); piece = file.next_piece(), ++pieces) {
      CHECK(last.back() == '\n');
      last = piece;
      joined += piece;
    }
    CHECK(pieces >= (whole == one_line ? 1 : 2));
    CHECK(joined == whole);
  }
  NamedPipe long_one("x", "some text\n", endless);
  InputFile limited(long_one.path());
  CHECK(error_of([&] {
          while (!limited.next_piece({.unpacked_bytes = 50'000'000}).empty()) {
          }
        }) == long_one.path() + ": contains more than 50,000,000 bytes; write it to a file first");
}

TEST_CASE("input: text comes in pieces of whole lines from gzip data, too") {
  std::string text;
  for (int n = 0; text.size() < 40'000'000; ++n) text += std::to_string(n) + (n % 3 == 0 ? "\r\n" : "\n");
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  const auto all_of = [&](const std::string& bytes) {
    write_text(path, bytes);
    TextPieces pieces{InputFile(path)};
    std::string joined, last = "\n";
    for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
      CHECK(last.back() == '\n');
      CHECK(piece.size() < 20'000'000);
      last = piece;
      joined += piece;
    }
    CHECK(pieces.next().empty());
    return joined;
  };
  const std::string packed = gzip(text), second = gzip("more\nand no end"), zeros(600, '\0');
  CHECK(all_of(text) == text);
  CHECK(all_of(packed) == text);
  CHECK(all_of(packed + second + zeros) == text + "more\nand no end");
  CHECK(all_of(gzip(text.substr(0, 1 << 24))) == text.substr(0, 1 << 24));  // which fills a piece
  const auto problem_of = [&](const std::string& bytes) { return error_of([&] { all_of(bytes); }); };
  for (const std::string& cut : {packed.substr(0, packed.size() / 2), packed.substr(0, packed.size() - 3),
                                 packed + second.substr(0, 12)})
    CHECK(problem_of(cut) == path + ": ends in the middle of its gzip data; copy the file again");
  std::string damaged = packed;
  damaged[packed.size() / 2] = char(damaged[packed.size() / 2] + 1);
  CHECK(problem_of(damaged).starts_with(path + ": is damaged gzip data ("));
  CHECK(problem_of(packed + zeros + second)
            .starts_with(path + ": is damaged gzip data (incorrect header check)"));
  CHECK(problem_of(gzip("")) == path + ": is empty after decompression; check the program that wrote it");
  CHECK(problem_of(gzip(std::string(50'000'000, 'x'))).find(": decompresses to more than ") !=
        std::string::npos);
  CHECK(problem_of(std::string("a\0b", 3)) ==
        path + ": is binary, not text (it contains a zero byte); give a text file");
  CHECK(problem_of(gzip("BZh9 packed twice")).starts_with(path + ": is compressed with bzip2"));
}

TEST_CASE("input: the head of packed text is as long as is asked for, and nothing is lost behind it") {
  std::string text;
  for (int n = 0; text.size() < 6'000'000; ++n) text += std::to_string(n) + '\n';
  const TemporaryFolder folder;
  write_text(folder / "a", gzip(text));
  for (const std::size_t size : {std::size_t{0}, std::size_t{3'000'000}, text.size() + 1}) {
    TextPieces pieces{InputFile(folder / "a")};
    CHECK(pieces.head() == text.substr(0, pieces.head().size()));
    const std::string head(pieces.head(size));
    CHECK(head.size() + 10 >= std::min(size, text.size()));  // the last line of it may be the next piece's
    std::string joined;
    for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) joined += piece;
    CHECK(joined.starts_with(head));
    CHECK(joined == text);
  }
}

TEST_CASE("input: the head of gzip data is as long as is asked for, however well they are packed") {
  std::string digits;
  for (int n = 0; digits.size() < 300'000; ++n) digits += std::to_string(n * 7919 % 1'000'003);
  for (const std::string& text : {digits, digits + std::string(3'000'000, 'x') + digits, std::string("a")}) {
    const std::string packed = gzip(text);
    for (const std::size_t size : {std::size_t{1}, std::size_t{100'000}, std::size_t{1} << 22}) {
      CAPTURE(text.size());
      CAPTURE(size);
      const std::string head = gunzip_head(packed, size);
      CHECK(head == text.substr(0, head.size()));
      if (size >= packed.size()) CHECK(head.size() == std::min(size, text.size()));
    }
    const std::string joined = gunzip_head(packed + gzip("more"), std::size_t{1} << 22);
    CHECK(joined == text);  // of the first member
    std::string damaged = packed;
    damaged[packed.size() - 8] = char(damaged[packed.size() - 8] + 1);  // the sum of its bytes
    CHECK(gunzip_head(damaged, std::size_t{1} << 22) == text);
  }
}

TEST_CASE("input: a wrong line of packed text is named, unless the gzip data are damaged") {
  const TemporaryFolder folder;
  const auto number = [](int n) { return std::to_string(1000 + n * 7919 % 9000).insert(1, "."); };
  const auto pqr = [](const std::string& x) { return "ATOM 1 CA ALA 1 " + x + " 2.0 3.0 0.5 1.0\n"; };
  const auto pdb = [](const std::string& x) {
    return "ATOM      1  CA  ALA A   1     " + std::string(7 - x.size(), ' ') + x +
           "   2.000   3.000  1.00 20.00           C\n";
  };
  const std::string loop =
      "data_x\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "_atom_site.label_atom_id\n_atom_site.label_comp_id\n";
  const auto cif = [](const std::string& x) { return x + " 2.0 3.0 CA ALA\n"; };
  const auto check = [&](const std::string& name, const std::string& head, const auto& line,
                         const auto& read) {
    CAPTURE(name);
    std::string text = head + line("1.0") + line("1.#");
    for (int n = 0; text.size() < 3'000'000; ++n) text += line(number(n));
    const std::string path = folder / name;
    std::string packed = gzip(text);
    write_text(path, packed);
    const std::string problem = error_of([&] { read(path); });
    CHECK(problem.starts_with(path + ':'));
    CHECK(problem.find("is not a finite number") != problem.npos);
    packed[packed.size() - 8] = char(packed[packed.size() - 8] + 1);  // the sum of its bytes
    write_text(path, packed);
    CHECK(error_of([&] { read(path); }) ==
          path + ": is damaged gzip data (incorrect data check); copy the file again");
    write_text(path, packed.substr(0, packed.size() - 9));
    CHECK(error_of([&] { read(path); }) ==
          path + ": ends in the middle of its gzip data; copy the file again");
  };
  check("a.pqr.gz", "", pqr, [](const std::string& path) { read_structure(path); });
  check("a.pdb.gz", "", pdb, [](const std::string& path) { read_pdb(InputFile(path)); });
  check("a.cif.gz", loop, cif, [](const std::string& path) { read_mmcif(InputFile(path)); });
}

TEST_CASE("input: a map from a pipe, whose format only its bytes tell") {
  const TemporaryFolder folder;
  const Sample map = sample({5, 6, 7}, {0.5, 0.5, 0.5});
  for (const Format& format : formats())
    for (const bool packed : {false, true}) {
      CAPTURE(format.ending);
      CAPTURE(packed);
      if (format.ending == ".dx.gz" && packed) continue;  // it is already
      write(folder / ("a" + format.ending), map);
      const std::string bytes = read_text(folder / ("a" + format.ending));
      const NamedPipe pipe("x", packed ? gzip(bytes) : bytes);
      InputFile file(pipe.path());
      CHECK(is_map(file));
      const Map found = read_map(std::move(file), 2);
      const Map expected = read_map(folder / ("a" + format.ending), 2);
      CHECK(found.lattice == expected.lattice);
      CHECK(found.unit == map.header.unit);
      CHECK(std::equal(found.all().begin(), found.all().end(), expected.all().begin(), expected.all().end()));
    }
}

TEST_CASE("input: a structure is no map, and its name does not make it one") {
  const NamedPipe pipe("x", atom);
  InputFile file(pipe.path());
  CHECK(!is_map(file));
  CHECK(read_structure(std::move(file)).atoms.size() == 1);
}

TEST_CASE("input: what has no end is refused at its beginning") {
  const auto structure = [](const std::string& path) { read_structure(path); };
  const auto map = [](const std::string& path) { read_map(path, 1); };
  const auto sites = [](const std::string& path) { read_pdb_sites(path); };
  const std::string zeros(1 << 16, '\0'), words = "yes\n",
                                          binary_is = "is binary, not text (it contains a zero byte)";
  CHECK(refusal(zeros, structure).find(binary_is) == 0);
  CHECK(refusal(zeros, sites).find(binary_is) == 0);
  CHECK(refusal(zeros, map).find("is not a map in a known format,") == 0);
  CHECK(refusal(words, map).find("is not a map in a known format,") == 0);
  CHECK(refusal(words, structure).find("has no ATOM or HETATM record in its first 16777216 bytes; ") == 0);
  const TemporaryFolder folder;
  write_text(folder / "a.dx", zeros);
  CHECK(error_of([&] { read_map(folder / "a.dx"); }) ==
        folder / "a.dx" +
            ": is binary (it contains a zero byte), but its first bytes are not those of a known binary map; "
            "check the program that wrote it");
}

TEST_CASE("input: a file that is larger than the memory is refused before it is read") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.dx";
  write_text(path, small_dx("1 2 3 4\n"));
  std::filesystem::resize_file(path, std::uintmax_t{1} << 42);  // a hole, which takes no room on the disk
  CHECK(error_of([&] {
          read_map(path);
        }).find(path + ": reading it needs 4.4 TB of memory or more, but only ") == 0);
}

TEST_CASE("input: what is packed otherwise is named, with the program that unpacks it") {
  const std::string tar = std::string(257, 'x') + "ustar" + std::string(300, '\0');
  struct Packed {
    std::string bytes, message;
  };
  for (const Packed& packed :
       {Packed{"BZh91AY&SY", "is compressed with bzip2; decompress it with bunzip2 first"},
        {std::string("\xFD\x37zXZ\0\0", 7), "is compressed with xz; decompress it with unxz first"},
        {"\x28\xB5\x2F\xFD more", "is compressed with zstd; decompress it with unzstd first"},
        {"PK\3\4 more", "is a zip archive; extract the file with unzip first"},
        {tar, "is a tar archive; extract the file with tar first"},
        {gzip(tar), "is a tar archive; extract the file with tar first"}}) {
    CAPTURE(packed.message);
    const TemporaryFolder folder;
    for (const char* const name : {"a.dx", "a.pqr", "a"}) {
      write_text(folder / name, packed.bytes);
      const std::string expected =
          folder / name + ": " + packed.message + " (ionwell decompresses only gzip)";
      CHECK(error_of([&] { read_map(folder / name); }) == expected);
      CHECK(error_of([&] { read_structure(folder / name); }) == expected);
      CHECK(error_of([&] { read_pdb_sites(folder / name); }) == expected);
      CHECK(error_of([&] { is_map(InputFile(folder / name)); }) == expected);
    }
  }
}

TEST_CASE("maps: a gzipped cube file with more atoms than fit into its first megabytes") {
  const TemporaryFolder folder;
  const Sample map = sample({5, 6, 7});
  write(folder / "a.cube", map);
  std::string cube = read_text(folder / "a.cube");
  std::size_t at = 0;
  for (int line = 0; line < 2; ++line) at = cube.find('\n', at) + 1;
  constexpr int atoms = 120'000;  // 9 MB
  cube.replace(at, 5, std::to_string(atoms));
  for (int line = 0; line < 5; ++line) at = cube.find('\n', at) + 1;
  std::string lines;
  for (int n = 1; n < atoms; ++n)
    lines += "    8   " + std::to_string(n) + ".250000000000 1.000000000000 2.000000000000 3.000000000000\n";
  cube.insert(at, lines);
  const std::string packed = gzip(cube);
  write_text(folder / "b.cube.gz", packed);
  const Map found = read_map(folder / "b.cube.gz"), expected = read_map(folder / "a.cube");
  CHECK(found.lattice == expected.lattice);
  CHECK(std::equal(found.all().begin(), found.all().end(), expected.all().begin(), expected.all().end()));
  write_text(folder / "c.cube.gz", packed.substr(0, packed.size() / 2));
  CHECK(error_of([&] { read_map(folder / "c.cube.gz"); }) ==
        folder / "c.cube.gz" + ": ends in the middle of its gzip data; copy the file again");
  const std::string many = replaced(cube, "120000", "99999999999");
  write_text(folder / "d.cube.gz", gzip(many));
  CHECK(error_of([&] { read_map(folder / "d.cube.gz"); }).find("99999999999") != std::string::npos);
}
