#include "python/file_choices.hpp"

#include "python/choices.hpp"
#include "python/word_choice.hpp"

namespace ionwell::python {

SystemOutput file_output(const std::string& path, const FileChoices& choices, IonNaming naming,
                         const std::string& what) {
  SystemOutput output{.path = path, .engine = {}, .water_names = {}, .with_solute = choices.with_solute};
  if (choices.engine)
    output.engine = chosen<Engine>(*choices.engine, "engine",
                                   {{"gromacs", Engine::gromacs},
                                    {"amber", Engine::amber},
                                    {"charmm", Engine::charmm},
                                    {"openmm", Engine::openmm},
                                    {"vmd", Engine::vmd}});
  if (choices.ion_names)
    output.naming = ion_names_of(*choices.ion_names);
  else if (!output.engine)
    output.naming = naming;
  if (choices.water_names)
    output.water_names = chosen<WaterNames>(*choices.water_names, "water_names",
                                            {{"gromacs", WaterNames::gromacs},
                                             {"amber", WaterNames::amber},
                                             {"charmm", WaterNames::charmm},
                                             {"pdb", WaterNames::pdb}});
  output.serials = chosen<PdbSerials>(
      choices.pdb_serials, "pdb_serials",
      {{"wrapped", PdbSerials::wrapped}, {"hex", PdbSerials::hex}, {"hybrid36", PdbSerials::hybrid36}});
  validate(output, what);
  return output;
}

}  // namespace ionwell::python
