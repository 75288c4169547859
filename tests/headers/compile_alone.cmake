# Compiles a file that includes one header twice and nothing else, and checks which strangers it brings in.
#
# -D compiler= -D header= -D work=<directory> -D includes=<list>
cmake_minimum_required(VERSION 3.25)

file(MAKE_DIRECTORY "${work}")
file(WRITE "${work}/alone.cpp" "#include <${header}>\n#include <${header}>\n")
list(TRANSFORM includes PREPEND "-I")
execute_process(
  COMMAND "${compiler}" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    -Wno-unknown-warning-option -Wuseless-cast # Clang does not know the second
    ${includes} -MD -MF "${work}/alone.d" -fsyntax-only "${work}/alone.cpp"
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${header} does not compile alone")
endif()

file(READ "${work}/alone.d" dependencies)
set(strangers "/curl/" "/simdjson" "/httplib" "/openssl/" "/CLI/")
if(NOT header STREQUAL "inferwire/nlohmann.hpp")
  list(APPEND strangers "/nlohmann/")
endif()
foreach(stranger IN LISTS strangers)
  if(dependencies MATCHES "[^ \n]*${stranger}[^ \n]*")
    message(SEND_ERROR "${header} lets in ${CMAKE_MATCH_0}")
  endif()
endforeach()
if(NOT dependencies MATCHES "${header}")
  message(FATAL_ERROR "the compiler's list of dependencies does not name ${header}: ${dependencies}")
endif()
