// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "maps/map.hpp"

/// What all map formats have in common: lines of comments that say what a map is, and checks of its geometry.
namespace ionwell {

/// What to do about a damaged file.
inline constexpr std::string_view copy_again = "copy the file again, or check the program that wrote it";

/// "1.000000000e+00": at least ten digits, and as many as it takes to get the same double back.
std::string exact_text(double value);

/// Lines for the top of a text file, without their comment sign: unit, temperature, provenance.
std::vector<std::string> header_lines(const MapHeader& header);

/// "origin 1 2 3" and "spacing 0.5 0.5 0.5" with all digits, for formats whose own fields round them.
std::vector<std::string> geometry_lines(const LatticeGeometry& lattice);

/// Takes what a line of comment says into the header: the lines of header_lines, and units in parentheses.
/// `comment` is the line without its sign.
void read_header_line(std::string_view comment, MapHeader& header);

/// Takes origin and spacing from a line of geometry_lines when they agree with what the format's own fields
/// say, which were rounded to `tolerance_A`, and are possible; leaves the header as it is otherwise, and for
/// other lines.
void read_geometry_line(std::string_view line, double tolerance_A, LatticeGeometry& lattice);

/// Throws Error unless the counts are at least 1, their product at most 2^40, and origin and spacings are
/// finite and the latter positive.
void check_geometry(const LatticeGeometry& lattice, const std::string& path);

/// Throws Error, with the point, for a value that is not finite in single precision.
void check_finite(const Map& map);

/// The same for values that are to be written, and whether there are as many as points; of values elsewhere
/// only that.
void check_writable_values(const LatticeGeometry& lattice, const MapValues& values, const std::string& path);

/// The same for values of a part of a lattice.
void check_writable_part(const LatticeGeometry& lattice, const LatticePart& part,
                         std::span<const float> values, const std::string& path);

}  // namespace ionwell
