# Dependencies come from the system, vcpkg or Conan, or from the project that has us as a subdirectory: targets that there
# are already serve as they are. Nothing is downloaded.
find_package(Threads REQUIRED)
if(NOT TARGET CURL::libcurl)
  find_package(CURL 7.88 REQUIRED) # without CONFIG: Debian ships only CMake's own module
endif()
if(NOT TARGET simdjson::simdjson)
  find_package(simdjson CONFIG REQUIRED)
endif()
# The client does without: who includes inferwire/nlohmann.hpp brings nlohmann/json along.
if((INFERWIRE_BUILD_ENGINE OR INFERWIRE_BUILD_BENCH) AND NOT TARGET nlohmann_json::nlohmann_json)
  find_package(nlohmann_json 3.11 CONFIG REQUIRED)
endif()
if(INFERWIRE_SIGV4 OR (INFERWIRE_BUILD_TESTING AND INFERWIRE_TESTING_TLS))
  find_package(OpenSSL 1.1 REQUIRED)
endif()
if(INFERWIRE_BUILD_SERVER)
  find_package(InferwireHttplib REQUIRED)
endif()
if(INFERWIRE_WITH_LLAMA AND NOT TARGET llama)
  find_package(llama CONFIG REQUIRED)
  if(NOT TARGET llama) # another project has a package of this name, with other targets
    message(FATAL_ERROR "INFERWIRE_WITH_LLAMA needs llama.cpp; the package in ${llama_DIR} is something else")
  endif()
endif()
if(INFERWIRE_BUILD_CLI AND NOT TARGET CLI11::CLI11)
  find_package(CLI11 CONFIG REQUIRED)
endif()
