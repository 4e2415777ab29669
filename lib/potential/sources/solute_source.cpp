// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/solute_source.hpp"

#include "potential/sources/imported_source.hpp"
#include "potential/sources/pb_source.hpp"
#include "potential/sources/summed_source.hpp"

namespace ionwell {
namespace {

struct Opener {
  const PotentialRequest& request;
  Stages& stages;

  std::unique_ptr<SoluteSource> operator()(const SummationOptions& options) const {
    return std::make_unique<SummedSource>(request, options);
  }
  std::unique_ptr<SoluteSource> operator()(const MapFiles& files) const {
    return stages.run("read",
                      [&](const Progress&) { return std::make_unique<ImportedSource>(request, files); });
  }
  std::unique_ptr<SoluteSource> operator()(const PbOptions& options) const {
    return std::make_unique<PbSource>(request, options);
  }
};

}  // namespace

std::unique_ptr<SoluteSource> open_source(const PotentialRequest& request, Stages& stages) {
  return std::visit(Opener{request, stages}, request.origin);
}

}  // namespace ionwell
