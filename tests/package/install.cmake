# Installs a build tree below a prefix that is empty before; then, when asked to, moves the whole to another place.
#
# -D build= -D prefix= [-D moved=]
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${prefix}" ${moved})
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(moved)
  file(RENAME "${prefix}" "${moved}")
endif()
