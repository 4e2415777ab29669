// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

/// What ionwell-bench can measure, one file each. Each prints a table, the machine on its first line.
namespace ionwell {

class RankGroup;

void average_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void box_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void direct_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void forces_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void points_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void pb_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void periodic_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void placement_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
/// `ranks` are those that mpirun has started; null if there are none.
void ranks_benchmark(const std::vector<std::string>& arguments, std::ostream& out, RankGroup* ranks);
void read_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void sample_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void sites_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void solvate_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void accuracy_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void crossover_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void gpu_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void scaling_benchmark(const std::vector<std::string>& arguments, std::ostream& out);
void short_range_benchmark(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace ionwell
