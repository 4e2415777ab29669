# cpack -G DEB; scripts/package runs it. Debian packages of a build with CUDA are called so: they take the place of those
# without.
set(package_suffix "")
if(IONWELL_HAVE_CUDA)
  set(package_suffix "-cuda")
endif()
set(CPACK_PACKAGE_NAME ionwell)
set(CPACK_PACKAGE_VENDOR "The ionwell developers")
set(CPACK_PACKAGE_CONTACT "The ionwell developers <packages@ionwell.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Places ions around charged biomolecules")
set(CPACK_PACKAGE_DESCRIPTION "ionwell puts ions, water and salt around proteins, nucleic acids and viruses before a simulation: \
each ion goes where its energy in the electrostatic potential of the structure is lowest. It reads GROMACS, AMBER and CHARMM \
topologies, PQR and PDB files, and writes what these engines take.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME ionwell${package_suffix}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development)
if(IONWELL_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/compress_documents.cmake)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ionwell${package_suffix})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS pdb2pqr)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "apbs, gromacs")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The programs ionwell and cionize, and a Tcl package for VMD.")

# A static library: whoever links it links these, too.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libionwell${package_suffix}-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfftw3-dev, libhdf5-dev, libnetcdf-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library, its headers, and the files for find_package(ionwell).")

if(IONWELL_PYTHON)
  math(EXPR next_minor "${IONWELL_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ionwell${package_suffix})
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${IONWELL_PYTHON_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package: import ionwell.")
endif()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  if(package_suffix)
    string(REPLACE "${package_suffix}" "" plain ${name})
    foreach(field CONFLICTS PROVIDES REPLACES)
      set(CPACK_DEBIAN_${upper}_PACKAGE_${field} ${plain})
    endforeach()
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright
    COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME changelog
    COMPONENT ${component})
endforeach()
include(CPack)
