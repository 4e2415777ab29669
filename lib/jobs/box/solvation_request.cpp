// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/box/solvation_request.hpp"

#include "core/error.hpp"

namespace ionwell {

SolvationOptions solvation_options(const SolvationRequest& request, InputWater input_water) {
  SolvationOptions options = request.options;
  options.water_model = water_model(options.water_model).name;
  if (options.cell && (request.shape || request.padding_A))
    fail<UsageError>("--cell sets the cell, but ", request.shape ? "--cell-shape" : "--padding",
                     " is for the smallest cell; leave one of them out");
  if (options.fill.smallest_cavity < 1)
    fail<UsageError>("--tune smallest-cavity is ", options.fill.smallest_cavity,
                     "; it must be 1 or more waters");
  options.shape = request.shape.value_or(options.shape);
  options.padding_A = request.padding_A.value_or(options.padding_A);
  options.accept_bulk_water = input_water == InputWater::solute;
  return options;
}

void complete(SolvationRequest& request) {
  if (request.options.cell) return;
  if (!request.shape) request.shape = request.options.shape;
  if (!request.padding_A) request.padding_A = request.options.padding_A;
}

}  // namespace ionwell
