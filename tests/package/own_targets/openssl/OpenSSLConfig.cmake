# OpenSSL as package managers configure it for CMake: find_package sets OpenSSL_FOUND, but only CMake's own module would
# set OPENSSL_FOUND.
if(NOT TARGET OpenSSL::Crypto)
  add_library(OpenSSL::Crypto INTERFACE IMPORTED)
endif()
