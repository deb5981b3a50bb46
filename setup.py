"""The wheel of the Python module: CMake builds the library and the program, and puts them with parts and examples into the
package (cmake/wheel.cmake). The module calls the library by ctypes, so one wheel serves every Python 3.

$DALEMBERT_BUILD names a build folder to use, for instance one that is there already; $CMAKE_ARGS has options for CMake."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

import setuptools
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
BUILD = os.environ.get("DALEMBERT_BUILD")
BASE = os.path.join(BUILD or str(HERE/"build"), "python")  # what setuptools leaves behind


def version():
    return re.search(r"project\(dalembert VERSION ([0-9.]+)", (HERE/"CMakeLists.txt").read_text())[1]


class BuildWithLibrary(build_py):
    def run(self):
        shutil.rmtree(os.path.join(self.build_lib, "dalembert"), ignore_errors=True)
        super().run()
        if not getattr(self, "editable_mode", False):  # that one uses the library of `make`
            self.build_library(os.path.abspath(os.path.join(self.build_lib, "dalembert")))

    def build_library(self, into):
        folder = os.path.abspath(BUILD or os.path.join(BASE, "cmake"))
        if not BUILD:
            options = ["-DDAL_WHEEL=ON", "-DBUILD_TESTING=OFF", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
            self.cmake("-S", str(HERE), "-B", folder, *options)
        self.cmake("--build", folder, "--target", "wheel_files", "--parallel", str(os.cpu_count() or 1))
        self.cmake("--install", folder, "--component", "wheel", "--prefix", into, "--strip")

    def cmake(self, *arguments):
        self.announce("cmake " + " ".join(arguments), level=2)
        try:
            subprocess.run(["cmake", *arguments], check=True)
        except FileNotFoundError:
            raise SystemExit("cmake is missing, which builds the library (Debian: cmake gcc libjansson-dev)") from None


class WheelOfLibrary(bdist_wheel):
    """py3-none-linux_x86_64: for any Python 3, on this kind of machine."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(setuptools.Distribution):
    def has_ext_modules(self):
        return True


os.makedirs(BASE, exist_ok=True)
setuptools.setup(version=version(), distclass=WithLibrary,
                 options={"build": {"build_base": BASE}, "egg_info": {"egg_base": BASE},
                          "bdist_wheel": {"bdist_dir": os.path.join(BASE, "wheel")}},
                 cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfLibrary})
