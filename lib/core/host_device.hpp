// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks a function that runs on the host and in CUDA kernels; nothing for a host compiler.
#ifdef __CUDACC__
#define IONWELL_HD __host__ __device__
#else
#define IONWELL_HD
#endif
