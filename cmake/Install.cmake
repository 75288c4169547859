# Installs the components, each with an export set of its own: who uses the client alone needs no cpp-httplib.
include(CMakePackageConfigHelpers)

set(INFERWIRE_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/inferwire")
# Before 3.28, CMake puts the prefix before absolute directories of headers when it writes the package.
set(INFERWIRE_HEADERS_DIR "${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE "${INFERWIRE_HEADERS_DIR}" AND CMAKE_VERSION VERSION_LESS 3.28)
  file(RELATIVE_PATH INFERWIRE_HEADERS_DIR "${CMAKE_INSTALL_PREFIX}" "${INFERWIRE_HEADERS_DIR}")
endif()

# inferwire_install(<component> <target>)
function(inferwire_install component target)
  set(generated)
  if(component STREQUAL "client")
    set(generated FILE_SET generated_headers DESTINATION "${INFERWIRE_HEADERS_DIR}" COMPONENT inferwire_development)
  endif()
  install(TARGETS ${target} EXPORT inferwire-${component}-targets
    RUNTIME COMPONENT inferwire_runtime
    LIBRARY COMPONENT inferwire_runtime NAMELINK_COMPONENT inferwire_development
    ARCHIVE COMPONENT inferwire_development
    FILE_SET HEADERS DESTINATION "${INFERWIRE_HEADERS_DIR}" COMPONENT inferwire_development
    ${generated})
  install(EXPORT inferwire-${component}-targets
    NAMESPACE inferwire::
    DESTINATION "${INFERWIRE_CMAKE_DIR}"
    COMPONENT inferwire_development)
endfunction()

# inferwire_install_pc(<name> <description> <requires> <private requires>): <name>.pc, which finds its prefix by itself.
function(inferwire_install_pc name description requires requires_private)
  string(REPLACE "inferwire-" "inferwire_" library "${name}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(prefix "${CMAKE_INSTALL_PREFIX}")
  else()
    file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(prefix "\${pcfiledir}/${up}")
  endif()
  cmake_path(APPEND libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
  cmake_path(APPEND includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/inferwire.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT inferwire_development)
endfunction()

inferwire_install(client inferwire)
# A static library's dependencies are public requirements: `pkg-config --static` would ask for the whole closure of
# libcurl, whose parts Debian does not ship as archives.
set(libraries "libcurl, simdjson")
if(INFERWIRE_SIGV4)
  string(APPEND libraries ", libcrypto")
endif()
set(requires)
set(requires_private)
if(BUILD_SHARED_LIBS)
  set(requires_private "${libraries}")
else()
  set(requires "${libraries}")
endif()
inferwire_install_pc(inferwire "${PROJECT_DESCRIPTION}" "${requires}" "${requires_private}")

if(TARGET inferwire_engine_interface)
  inferwire_install(engine inferwire_engine_interface)
endif()
if(TARGET inferwire_server)
  inferwire_install(server inferwire_server)
  set(requires "inferwire")
  if(NOT BUILD_SHARED_LIBS)
    string(APPEND requires ", cpp-httplib")
  endif()
  if(BUILD_SHARED_LIBS OR InferwireHttplibPC_FOUND)
    inferwire_install_pc(inferwire-server "HTTP server of inferwire's reference engine" "${requires}" "")
  else()
    message(STATUS "inferwire: inferwire-server.pc is not installed: pkg-config does not know this cpp-httplib")
  endif()
endif()
if(TARGET inferwire_llama)
  inferwire_install(llama inferwire_llama)
  set(requires "inferwire")
  if(NOT BUILD_SHARED_LIBS)
    string(APPEND requires ", llama")
  endif()
  inferwire_install_pc(inferwire-llama "Real models for inferwire's reference engine" "${requires}" "")
endif()
if(TARGET inferwire_testing)
  inferwire_install(testing inferwire_testing)
  set(requires "inferwire")
  if(NOT BUILD_SHARED_LIBS AND INFERWIRE_TESTING_TLS)
    string(APPEND requires ", libssl, libcrypto")
  endif()
  inferwire_install_pc(inferwire-testing "Tools of inferwire for tests of programs that use it" "${requires}" "")
endif()
if(TARGET inferwire_cli)
  install(TARGETS inferwire_cli RUNTIME COMPONENT inferwire_tools)
  set(cli "${PROJECT_SOURCE_DIR}/src/cli")
  install(FILES "${cli}/man/inferwire.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT inferwire_tools)
  install(FILES "${cli}/completions/inferwire.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME inferwire COMPONENT inferwire_tools)
  install(FILES "${cli}/completions/_inferwire"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT inferwire_tools)
endif()

# Each component may be packaged alone.
set(components development)
if(BUILD_SHARED_LIBS)
  list(APPEND components runtime)
endif()
if(TARGET inferwire_cli)
  list(APPEND components tools)
endif()
foreach(component IN LISTS components)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/inferwire" COMPONENT inferwire_${component})
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/inferwireConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/inferwireConfig.cmake"
  INSTALL_DESTINATION "${INFERWIRE_CMAKE_DIR}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/inferwireConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/inferwireConfig.cmake"
    "${PROJECT_BINARY_DIR}/inferwireConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindInferwireHttplib.cmake"
  DESTINATION "${INFERWIRE_CMAKE_DIR}"
  COMPONENT inferwire_development)
