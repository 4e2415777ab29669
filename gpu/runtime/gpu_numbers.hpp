// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

/// What GPUs are called. Users and GpuDevice have a number for each; CUDA counts those that it was shown,
/// from 0, which is the same unless use_only_gpus hid some.
namespace ionwell::gpu {

/// The number of CUDA's device `ordinal`, and the reverse (-1: CUDA does not see it).
int number_of(int ordinal);
int ordinal_of(int number);

/// From now on CUDA's devices are those with these numbers, in this order.
void set_numbers(const std::vector<int>& numbers);

/// use_only_gpus (gpu/backend.hpp).
void show_only_gpus(std::vector<int> numbers);

/// Of the GPUs that it has shown, hides all but these; nothing where it has shown none.
void hide_gpus_but(const std::vector<int>& numbers);

/// Numbers of those that were hidden so.
const std::vector<int>& hidden_gpus();

}  // namespace ionwell::gpu
