# The house is built floor by floor. Each floor is an object library of its own, which links only what it may use;
# inferwire_assemble() puts them together into the one library that users link.

include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(GNUInstallDirs)

if(BUILD_SHARED_LIBS)
  set(INFERWIRE_SHARED_LIBRARY 1)
else()
  set(INFERWIRE_SHARED_LIBRARY 0)
endif()
set(INFERWIRE_GENERATED "${PROJECT_BINARY_DIR}/generated")
configure_file(cmake/export.hpp.in "${INFERWIRE_GENERATED}/inferwire/export.hpp" @ONLY)
configure_file(cmake/version.hpp.in "${INFERWIRE_GENERATED}/inferwire/version.hpp" @ONLY)

# For 32-bit x86, compilers may calculate with the 80 bits of the x87, rounded whenever a number is stored: the same seed
# would give another text, and a number might not equal itself. With SSE2 they calculate as everywhere.
check_cxx_source_compiles([[
  #if !defined(__i386__) || __FLT_EVAL_METHOD__ == 0
  #error no x87
  #endif
  int main() {}]] INFERWIRE_USES_X87)

# What every target of ours is compiled with.
function(inferwire_compile_like_ours target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    BUILD_RPATH_USE_ORIGIN ON
    CXX_SCAN_FOR_MODULES OFF) # there are none, and looking for them is a second compiler run a file
  # Others' shared libraries may link our static one, unless its user says that none will.
  if(BUILD_SHARED_LIBS OR NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  # The macros of description.hpp need the preprocessor of the C++ standard, and so do those who include them.
  target_compile_options(${target} PUBLIC "$<$<COMPILE_LANG_AND_ID:CXX,MSVC>:/Zc:preprocessor>")
  # A project that has us as a subdirectory may compile with -ffast-math; we ask numbers whether they are finite, and
  # round by adding and subtracting. It may compile without exceptions; we catch those of others, and value() throws.
  if(MSVC)
    target_compile_options(${target} PRIVATE /utf-8 /bigobj /fp:precise)
  else()
    target_compile_options(${target} PRIVATE -fno-fast-math -fexceptions)
  endif()
  if(INFERWIRE_USES_X87)
    target_compile_options(${target} PRIVATE -msse2 -mfpmath=sse)
  endif()
  if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    # Files may be larger than 2 GiB, and the numbers of their inodes than 32 bits.
    target_compile_definitions(${target} PRIVATE _FILE_OFFSET_BITS=64)
  endif()
  if(WIN32)
    # curl/curl.h includes windows.h, which has macros for min and max.
    target_compile_definitions(${target} PRIVATE NOMINMAX WIN32_LEAN_AND_MEAN)
  endif()
  if(NOT MSVC)
    # The same bytes from whatever directory; debuggers of a Debug build find the sources where they are.
    target_compile_options(${target} PRIVATE
      "$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.;-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>")
  endif()
  get_target_property(at_once ${target} UNITY_BUILD)
  if(at_once AND NOT MSVC)
    # In a unity build, local variables have names that other files give to functions and types. A project that has us
    # as a subdirectory may ask for one, and for errors instead of warnings.
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    if(MINGW)
      # GCC relies there on the registers that an inline function leaves alone, even if the linker takes another file's copy.
      target_compile_options(${target} PRIVATE -fno-ipa-ra)
    endif()
    if(at_once)
      # Where the local names of one file are seen in the next, local types look like those of a header.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
    # False alarms of optimised builds, about what variants and optionals hold. A project that has us as a subdirectory
    # may make errors of warnings.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # About joined strings: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105651
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
  if(INFERWIRE_DEVELOPER_MODE AND NOT MSVC)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Werror)
    if(NOT at_once)
      target_compile_options(${target} PRIVATE -Wshadow)
    endif()
  endif()
endfunction()

# What a library that users link needs besides: a version, and a door that shows nothing but our names.
function(inferwire_exported_library target)
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BUILD_SHARED_LIBS AND UNIX AND NOT APPLE)
    set(map "${PROJECT_SOURCE_DIR}/cmake/exports.map")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
    if(INFERWIRE_DEVELOPER_MODE AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      target_link_options(${target} PRIVATE LINKER:-z,defs)
    endif()
  endif()
endfunction()

# For size, GCC copies strings by `rep movsb`, which takes longer to begin than most of ours to copy.
check_cxx_compiler_flag(-mstringop-strategy=libcall INFERWIRE_HAS_STRINGOP_STRATEGY)

# A Release build makes it small.
function(inferwire_compile_cold target)
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-Os>")
    if(INFERWIRE_HAS_STRINGOP_STRATEGY)
      target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-mstringop-strategy=libcall>")
    endif()
  endif()
endfunction()

# inferwire_floor(<name> <source>... [WARM <source>...] [HOT <source>...] [LINK <library>...] [OPTIONS <option>...]
# [DEFINITIONS <definition>...]): the floor src/<name>. In a Release build HOT, which takes bytes, events or tokens apart,
# is compiled as the build type says; WARM, without which calls and wake-ups were measurably slower, at -O2; all the rest
# for size. A program that links the library has half the bytes then.
function(inferwire_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 floor "" "" "WARM;HOT;LINK;OPTIONS;DEFINITIONS")
  set(part inferwire_${name})
  add_library(${part} OBJECT ${floor_UNPARSED_ARGUMENTS})
  set(parts ${part})
  inferwire_compile_cold(${part})
  if(floor_WARM OR floor_HOT)
    set(part inferwire_${name}_fast)
    add_library(${part} OBJECT ${floor_WARM} ${floor_HOT})
    list(APPEND parts ${part})
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
      set_target_properties(${part} PROPERTIES UNITY_BUILD OFF) # what is inlined was measured file by file
      if(NOT MSVC)
        set_property(SOURCE ${floor_WARM} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-O2>")
      endif()
    endif()
  endif()
  foreach(part IN LISTS parts)
    set_target_properties(${part} PROPERTIES UNITY_BUILD_BATCH_SIZE 16) # in larger ones, local names meet
    inferwire_compile_like_ours(${part})
    target_compile_definitions(${part} PRIVATE INFERWIRE_BUILDING ${floor_DEFINITIONS}
      # Some package managers build nlohmann/json without them.
      $<$<BOOL:${INFERWIRE_DEVELOPER_MODE}>:JSON_USE_IMPLICIT_CONVERSIONS=0>)
    target_compile_options(${part} PRIVATE ${floor_OPTIONS})
    if(INFERWIRE_DEVELOPER_MODE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A function that no header declares belongs in an unnamed namespace.
      target_compile_options(${part} PRIVATE -Wmissing-declarations)
    endif()
    if(NOT MSVC)
      # So that who links the static library with --gc-sections pays for no more than the program uses.
      target_compile_options(${part} PRIVATE -ffunction-sections -fdata-sections)
    endif()
    target_include_directories(${part}
      PUBLIC "${PROJECT_SOURCE_DIR}/include" "${INFERWIRE_GENERATED}"
      PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${part} PRIVATE ${floor_LINK})
    set_property(GLOBAL APPEND PROPERTY INFERWIRE_OBJECTS $<TARGET_OBJECTS:${part}>)
  endforeach()
endfunction()

# The library that users link, and for a shared build a static twin through which tests reach what is not exported.
function(inferwire_assemble)
  get_property(objects GLOBAL PROPERTY INFERWIRE_OBJECTS)
  add_library(inferwire ${objects})
  add_library(inferwire::inferwire ALIAS inferwire)
  set(libraries inferwire)
  if(BUILD_SHARED_LIBS)
    add_library(inferwire_internal STATIC EXCLUDE_FROM_ALL ${objects})
    list(APPEND libraries inferwire_internal)
  else()
    add_library(inferwire_internal ALIAS inferwire)
  endif()
  foreach(library IN LISTS libraries)
    inferwire_compile_like_ours(${library})
    target_include_directories(${library} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
      "$<BUILD_INTERFACE:${INFERWIRE_GENERATED}>")
    target_link_libraries(${library} PRIVATE CURL::libcurl simdjson::simdjson Threads::Threads
      ${CMAKE_DL_LIBS})
    if(INFERWIRE_SIGV4)
      target_link_libraries(${library} PRIVATE OpenSSL::Crypto)
    endif()
  endforeach()
  inferwire_exported_library(inferwire)
  if(INFERWIRE_BUILD_ENGINE)
    # The engine is part of the library: unused, it costs a static program nothing.
    add_library(inferwire_engine_interface INTERFACE)
    add_library(inferwire::engine ALIAS inferwire_engine_interface)
    set_target_properties(inferwire_engine_interface PROPERTIES EXPORT_NAME engine)
    target_link_libraries(inferwire_engine_interface INTERFACE inferwire)
  endif()
endfunction()
