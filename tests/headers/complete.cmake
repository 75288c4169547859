# Checks that every header below include/inferwire is in the lists of cmake/Headers.cmake, and that the umbrella
# includes all that a client program needs.
#
# -D root=<include/inferwire> -D installed=<list> -D client=<list>
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE present RELATIVE "${root}" "${root}/*.hpp")
foreach(header IN LISTS present)
  if(NOT header IN_LIST installed)
    message(SEND_ERROR "${header} is not in cmake/Headers.cmake: it would not be installed")
  endif()
endforeach()

# The umbrella leaves out on purpose: declarations for those who do not want it, what only tests of programs need,
# what many programs do not need, and what brings in a third party.
set(left_out inferwire.hpp fwd.hpp batch.hpp clock.hpp description.hpp nlohmann.hpp schema.hpp shape.hpp
  structured_output.hpp tools.hpp)
file(READ "${root}/inferwire.hpp" umbrella)
foreach(header IN LISTS client)
  string(FIND "${umbrella}" "#include \"inferwire/${header}\"" at)
  if(at EQUAL -1 AND NOT header IN_LIST left_out)
    message(SEND_ERROR "inferwire.hpp does not include ${header}")
  endif()
endforeach()
