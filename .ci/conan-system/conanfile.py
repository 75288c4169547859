# Stands in for ConanCenter: a recipe that hands on what the system has installed, under ConanCenter's names.
# conan create .ci/conan-system --name libcurl --version 7.88.1
from conan import ConanFile

SYSTEM_LIBRARIES = {
    "libcurl": {"CURL": {"CURL::libcurl": ["curl"]}},
    "simdjson": {"simdjson": {"simdjson::simdjson": ["simdjson"]}},
    "nlohmann_json": {"nlohmann_json": {"nlohmann_json::nlohmann_json": []}},
    "openssl": {"OpenSSL": {"OpenSSL::SSL": ["ssl"], "OpenSSL::Crypto": ["crypto"]}},
    "cpp-httplib": {"httplib": {"httplib::httplib": ["cpp-httplib", "ssl", "crypto"]}},
}
# What Debian's compiled cpp-httplib was built with: its header has to be read in the same way.
DEFINES = {
    "cpp-httplib": ["CPPHTTPLIB_OPENSSL_SUPPORT", "CPPHTTPLIB_ZLIB_SUPPORT", "CPPHTTPLIB_BROTLI_SUPPORT"],
    "simdjson": ["SIMDJSON_THREADS_ENABLED=1"],
    # The default; a package that had nothing to hand on would get no target from CMakeConfigDeps.
    "nlohmann_json": ["JSON_DIAGNOSTICS=0"],
}
# ConanCenter's names of components, where it has several.
COMPONENTS = {"OpenSSL::SSL": "ssl", "OpenSSL::Crypto": "crypto", "CURL::libcurl": "curl"}


class SystemLibrary(ConanFile):
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    # ConanCenter's libcurl has it, and the recipe asks for it.
    options = {"with_nghttp2": [True, False]}
    default_options = {"with_nghttp2": True}

    def package_info(self):
        ((file_name, targets),) = SYSTEM_LIBRARIES[self.name].items()
        self.cpp_info.set_property("cmake_file_name", file_name)
        self.cpp_info.set_property("cmake_find_mode", "both")
        self.cpp_info.includedirs = []
        for target, libraries in targets.items():
            info = self.cpp_info.components[COMPONENTS[target]] if target in COMPONENTS else self.cpp_info
            info.set_property("cmake_target_name", target)
            info.includedirs = []
            info.libdirs = []
            info.bindirs = []
            info.system_libs = libraries
            info.defines = DEFINES.get(self.name, [])
