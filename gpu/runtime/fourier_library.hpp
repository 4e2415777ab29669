// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cufft.h>

#include <string_view>

namespace ionwell::gpu {

/// The functions of cuFFT that are used here. It is loaded when it is first requested, so that a program runs
/// without it; it is a part of the CUDA toolkit.
struct FourierLibrary {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany64) make_plan;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftExecD2Z) to_waves;
  decltype(&cufftExecZ2D) from_waves;
};

/// Throws Error where it is not installed.
const FourierLibrary& fourier_library();

/// Throws Error when a call of it went wrong; `what` is what it was to do.
void check_fourier(cufftResult status, std::string_view what);

}  // namespace ionwell::gpu
