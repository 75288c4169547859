# Installs a build tree into an empty prefix, and then moves the prefix to another place, or takes a component out of it,
# if asked to.
#
# -D build= -D prefix= [-D moved=] [-D without=<component>]
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${prefix}" ${moved})
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS "${prefix}/share/licenses/inferwire/LICENSE")
  message(FATAL_ERROR "the licence is not installed")
endif()
if(moved)
  file(RENAME "${prefix}" "${moved}")
endif()
if(without)
  file(GLOB_RECURSE component "${prefix}/*inferwire-${without}-targets*.cmake")
  file(REMOVE ${component})
endif()
