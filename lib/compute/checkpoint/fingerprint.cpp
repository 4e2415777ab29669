// SPDX-License-Identifier: BSD-3-Clause
#include "compute/checkpoint/fingerprint.hpp"

#include <bit>

#include "files/mapped_file.hpp"

namespace ionwell {
namespace {

constexpr std::uint64_t fnv_prime = 1099511628211u;

}  // namespace

void Fingerprint::add(std::string_view bytes) {
  for (const char byte : bytes) state_ = (state_ ^ std::uint8_t(byte)) * fnv_prime;
}

void Fingerprint::add(double value) {
  add(std::bit_cast<std::int64_t>(value));
}

void Fingerprint::add(std::int64_t value) {
  for (int byte = 0; byte < 8; ++byte)
    state_ = (state_ ^ (std::uint64_t(value) >> (8 * byte) & 0xffu)) * fnv_prime;
}

std::string Fingerprint::text() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[state_ >> shift & 0xfu];
  return text;
}

std::string fingerprint_of(std::span<const Atom> atoms) {
  Fingerprint fingerprint;
  for (const Atom& atom : atoms) {
    for (const double number :
         {atom.position_A.x, atom.position_A.y, atom.position_A.z, atom.charge_e, atom.radius_A})
      fingerprint.add(number);
    for (const std::string_view label : {atom.name.view(), atom.residue.view(), atom.chain.view(),
                                         atom.segment.view(), atom.element.view()}) {
      fingerprint.add(label);
      fingerprint.add(std::string_view("\0", 1));
    }
    for (const int number : {atom.residue_number, int(atom.insertion_code), int(atom.ends_chain)})
      fingerprint.add(std::int64_t(number));
  }
  return fingerprint.text();
}

std::string fingerprint_of(const UnitCell& cell) {
  Fingerprint fingerprint;
  for (const Vec3<double>& v : {cell.a, cell.b, cell.c})
    for (const double x : {v.x, v.y, v.z}) fingerprint.add(x);
  fingerprint.add(std::int64_t(cell.kind));
  return fingerprint.text();
}

std::string fingerprint_of_file(const std::string& path) {
  Fingerprint fingerprint;
  fingerprint.add(MappedFile(path).bytes());
  return fingerprint.text();
}

}  // namespace ionwell
