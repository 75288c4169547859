# Installs a build tree into an empty prefix, and then moves the prefix to another place if asked to.
#
# -D build= -D prefix= [-D moved=]
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${prefix}" ${moved})
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(moved)
  file(RENAME "${prefix}" "${moved}")
endif()
