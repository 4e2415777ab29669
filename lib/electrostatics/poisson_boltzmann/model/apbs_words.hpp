// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"

namespace ionwell {

/// A model by APBS's words, and what is not of the model.
struct ApbsWords {
  PbModelOptions model;
  std::vector<std::string> others;  // of the grid, the equation, the output: for whoever knows these
  std::vector<std::string> notes;   // words that change nothing, and why: ready to show
};

/// Takes words KEY=VALUE, each a line of the section ELEC of an APBS input file (its manual, version 3), in
/// any order; the last one counts, and lines `ion` add up. What each means is what APBS's own maps hold:
///
///   srfm  mol    inside or outside, by the middle of each face; smol: with nine faces averaged
///         spl2   cubic steps, spl4: steps of degree 7
///   chgm  spl0, spl2, spl4: B-splines of degree 1, 2 and 4
///   bcfl  zero, sdh, mdh, focus
///   pdie, sdie, srad, swin, temp, and ion: the largest of their radii is that of all
///   sdens changes nothing: no surface here is made of dots
///
/// What is not named stays as `model` has it, and the kind of faces stays too where srfm is not named. Throws
/// UsageError for a value that APBS has and this program does not, and for an invalid value.
ApbsWords with_apbs_words(PbModelOptions model, std::span<const std::string> words);

}  // namespace ionwell
