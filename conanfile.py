import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.microsoft import is_msvc

required_conan_version = ">=2.0.9"


class InferwireConan(ConanFile):
    name = "inferwire"
    description = "C++20 client SDK for model-serving APIs, with a reference engine"
    license = "MIT"
    topics = ("llm", "http", "sse", "client", "sdk")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "with_engine": [True, False],
        "with_server": [True, False],
        "with_testing": [True, False],
        "with_sigv4": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "with_engine": False,
        "with_server": False,
        "with_testing": False,
        "with_sigv4": True,
    }
    implements = ["auto_shared_fpic"]
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = self.version or re.search(r"project\(inferwire\s+VERSION ([0-9.]+)", text).group(1)

    # The server stands on the engine. (An option that has a value may not be changed any more.)
    @property
    def _has_engine(self):
        return bool(self.options.with_engine or self.options.with_server)

    def package_id(self):
        if self.info.options.with_server:
            self.info.options.with_engine = True

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("libcurl/[>=7.88 <9]", options={"with_nghttp2": True})
        self.requires("simdjson/[>=3.0.1 <5]")
        self.requires("nlohmann_json/[>=3.11.2 <4]", transitive_headers=True)  # for inferwire/nlohmann.hpp
        if self.options.with_sigv4 or self.options.with_testing:
            self.requires("openssl/[>=1.1 <4]")
        if self.options.with_server:
            self.requires("cpp-httplib/[>=0.11.4 <1]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["INFERWIRE_BUILD_ENGINE"] = self._has_engine
        toolchain.cache_variables["INFERWIRE_BUILD_SERVER"] = bool(self.options.with_server)
        toolchain.cache_variables["INFERWIRE_BUILD_TESTING"] = bool(self.options.with_testing)
        toolchain.cache_variables["INFERWIRE_SIGV4"] = bool(self.options.with_sigv4)
        toolchain.cache_variables["INFERWIRE_TESTING_TLS"] = bool(self.options.with_testing)
        toolchain.cache_variables["INFERWIRE_BUILD_CLI"] = False
        toolchain.cache_variables["INFERWIRE_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["INFERWIRE_BUILD_TESTS"] = False
        toolchain.cache_variables["INFERWIRE_INSTALL"] = True
        toolchain.generate()
        deps = CMakeDeps(self)
        # Conan takes another major version for an incompatible one; CMake would find the system's library instead.
        for name in "libcurl", "openssl":
            deps.set_property(name, "cmake_config_version_compat", "AnyNewerVersion")
        deps.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "inferwire")
        # By default the target of all components has the client's name: who links the client would link them all.
        self.cpp_info.set_property("cmake_target_name", "inferwire::all")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        client = self.cpp_info.components["client"]
        client.set_property("cmake_target_name", "inferwire::inferwire")
        # CMakeConfigDeps would take the target's name for the component's.
        client.set_property("cmake_components", ["client"])
        client.set_property("pkg_config_name", "inferwire")
        client.libs = ["inferwire"]
        client.requires = ["libcurl::libcurl", "simdjson::simdjson", "nlohmann_json::nlohmann_json"]
        if self.options.with_sigv4:
            client.requires.append("openssl::crypto")
        if is_msvc(self):
            client.cxxflags = ["/Zc:preprocessor"]
        if self.settings.os in ("Linux", "FreeBSD"):
            client.system_libs = ["pthread"]
        if self._has_engine:
            engine = self.cpp_info.components["engine"]
            engine.set_property("cmake_target_name", "inferwire::engine")
            engine.requires = ["client"]
        if self.options.with_server:
            server = self.cpp_info.components["server"]
            server.set_property("cmake_target_name", "inferwire::server")
            server.set_property("pkg_config_name", "inferwire-server")
            server.libs = ["inferwire_server"]
            server.requires = ["engine", "cpp-httplib::cpp-httplib"]
        if self.options.with_testing:
            testing = self.cpp_info.components["testing"]
            testing.set_property("cmake_target_name", "inferwire::testing")
            testing.set_property("pkg_config_name", "inferwire-testing")
            testing.libs = ["inferwire_testing"]
            testing.requires = ["client", "openssl::ssl", "openssl::crypto"]
