# SPDX-License-Identifier: BSD-3-Clause
# cpack -G DEB; scripts/package runs it. Debian packages of a build with CUDA are called so: they take the place of those
# without.
set(package_suffix "")
if(IONWELL_HAVE_CUDA)
  set(package_suffix "-cuda")
endif()
set(CPACK_PACKAGE_NAME ionwell)
set(CPACK_PACKAGE_VENDOR "The ionwell developers")

# Who makes a package answers for it.
set(IONWELL_MAINTAINER "" CACHE STRING "Who packages say maintains them, 'Name <address>'; empty: DEBFULLNAME and DEBEMAIL")
set(maintainer "${IONWELL_MAINTAINER}")
if(maintainer STREQUAL "" AND NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
if(maintainer STREQUAL "")
  set(maintainer "The ionwell developers <packages@ionwell.invalid>")  # .invalid: of nobody
endif()
set(CPACK_PACKAGE_CONTACT "${maintainer}")
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
# 0.2.0-1~debian12: those of one system are not taken for another's, and the next release of it has the later one.
cmake_host_system_information(RESULT system QUERY DISTRIB_INFO)
if(system_ID AND system_VERSION_ID)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${system_ID}${system_VERSION_ID}")
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_documents.cmake)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ionwell${package_suffix})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS pdb2pqr)
if(IONWELL_HAVE_CUDA)
  # cuFFT, which is loaded for periodic cells: in NVIDIA's archive its package has the toolkit's version; Debian's has that
  # of the library's file, libcufft.so.11 with CUDA 12 and .12 with CUDA 13. Neither need be there to install this.
  string(REGEX MATCH "^([0-9]+)[.]([0-9]+)" cuda_version "${IONWELL_CUDA_VERSION}")
  math(EXPR cufft_version "${CMAKE_MATCH_1} - 1")
  set(cufft "libcufft-${CMAKE_MATCH_1}-${CMAKE_MATCH_2} | libcufft${cufft_version}")
  foreach(component RUNTIME PYTHON)
    list(APPEND CPACK_DEBIAN_${component}_PACKAGE_RECOMMENDS "${cufft}")
    list(JOIN CPACK_DEBIAN_${component}_PACKAGE_RECOMMENDS ", " CPACK_DEBIAN_${component}_PACKAGE_RECOMMENDS)
  endforeach()
endif()
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "apbs, gromacs")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The programs ionwell and cionize, and a Tcl package for VMD.")

# A static library: whoever links it links these, too.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libionwell${package_suffix}-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libhdf5-dev, libnetcdf-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library, its headers, and the files for find_package(ionwell).")

if(IONWELL_PYTHON)
  math(EXPR next_minor "${IONWELL_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ionwell${package_suffix})
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${IONWELL_PYTHON_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package: import ionwell.")
  set(name ${CPACK_DEBIAN_PYTHON_PACKAGE_NAME})  # what Python compiles goes with the package
  foreach(script postinst prerm)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/${script}.in ${PROJECT_BINARY_DIR}/documents/${script} @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    list(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/documents/${script})
  endforeach()
endif()

file(READ ${PROJECT_SOURCE_DIR}/LICENSE copyright)
file(READ ${IONWELL_VIEWER_LICENCE} viewer_licence)  # in the program, the library and the module
string(APPEND copyright "\n3Dmol.js, which pages of --html have in them:\n\n${viewer_licence}")
if(IONWELL_HAVE_CUDA)
  string(APPEND copyright "\nCUDA's runtime library, copyright NVIDIA Corporation, which is linked in: see the agreement for CUDA at\n"
    "https://docs.nvidia.com/cuda/eula/, which allows to pass it on as a part of programs.\n")
endif()
file(CONFIGURE OUTPUT documents/copyright CONTENT "@copyright@" @ONLY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  if(package_suffix)
    string(REPLACE "${package_suffix}" "" plain ${name})
    foreach(field CONFLICTS PROVIDES REPLACES)
      set(CPACK_DEBIAN_${upper}_PACKAGE_${field} ${plain})
    endforeach()
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/documents/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
    COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME changelog
    COMPONENT ${component})
endforeach()
include(CPack)
