# Compile flags, libraries and the helpers that declare targets. The build files of the folders list facts only.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The build tree mirrors the install tree, so that the binary finds its presets in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

include(CheckPIESupported)
check_pie_supported()
include(GNUInstallDirs)

add_library(sallyport_flags INTERFACE)
target_include_directories(sallyport_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(sallyport_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Werror
  -fstack-protector-strong -fstack-clash-protection -fcf-protection)
if(CMAKE_UNITY_BUILD)  # a local name may be another file's, and anonymous namespaces stand in an included file
  target_compile_options(sallyport_flags INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
target_compile_definitions(sallyport_flags INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(sallyport_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,-z,pack-relative-relocs HAVE_PACKED_RELOCATIONS)
if(HAVE_PACKED_RELOCATIONS)  # 24,000 of them: a fifth of the time that a start takes
  target_link_options(sallyport_flags INTERFACE -Wl,-z,pack-relative-relocs)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 at -O2 sees faults in inlined moves of std::variant, std::string and coroutine frames that are none (GCC bugs 105562,
  # 105651, 106199). clang and the sanitizer builds look for the real ones.
  target_compile_options(sallyport_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-mismatched-new-delete)
else()
  target_compile_options(sallyport_flags INTERFACE -Wno-unused-command-line-argument)
endif()
if(SALLYPORT_SANITIZE)
  # Instrumented code makes GCC warn of what is not there (gcc(1), -fsanitize=address): warnings are errors in the other builds.
  target_compile_options(sallyport_flags INTERFACE -fsanitize=${SALLYPORT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -Wno-error)
  target_link_options(sallyport_flags INTERFACE -fsanitize=${SALLYPORT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang 14 cannot check the types of functions that are coroutines: it fails with "difference across sections".
    target_compile_options(sallyport_flags INTERFACE -fno-sanitize=function)
  endif()
else()
  # _FORTIFY_SOURCE needs optimisation; sanitizers bring their own checks.
  target_compile_options(sallyport_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                                                   $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
endif()

# Libraries of others: one target each, named after the library. Static ones where Debian has them: the dynamic linker would take longer
# to start a jail than the kernel does. A security fix in one of them needs a rebuild.
option(SALLYPORT_STATIC_LIBRARIES "Link the libraries of others statically" ON)
if(SALLYPORT_STATIC_LIBRARIES)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  set(Boost_USE_STATIC_LIBS ON)
endif()
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
foreach(library libcares libnghttp2 openssl libidn2 libpsl re2 yaml-cpp libseccomp libmnl libnftnl libsodium sqlite3)
  pkg_check_modules(${library} REQUIRED IMPORTED_TARGET ${library})
endforeach()
find_library(UNISTRING unistring REQUIRED)  # what the static libidn2 and libpsl need
target_link_libraries(PkgConfig::libidn2 INTERFACE ${UNISTRING})
target_link_libraries(PkgConfig::libpsl INTERFACE PkgConfig::libidn2)

# A unity build (CMAKE_UNITY_BUILD, the default) compiles several files as one; not these.
file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/compiled_alone.txt compiled_alone REGEX "^[^#]")
foreach(path ${compiled_alone})
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${path})
    message(FATAL_ERROR "cmake/compiled_alone.txt names ${path}, which is not here: take its line out, or write its new name")
  endif()
endforeach()
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/compiled_alone.txt)
function(sallyport_compile_alone)
  foreach(source ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    if(path IN_LIST compiled_alone)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# sallyport_library(NAME SOURCES a.cpp … USES base … LIBRARIES PkgConfig::x …)
function(sallyport_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_library(sallyport_${name} STATIC ${arg_SOURCES})
  sallyport_compile_alone(${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND sallyport_)
  target_link_libraries(sallyport_${name} PUBLIC sallyport_flags ${arg_USES} ${arg_LIBRARIES})
endfunction()

# sallyport_seccomp_program(FOLDER NAME SOURCES …): a program of the build writes generated/FOLDER/NAME.cpp, a seccomp filter.
function(sallyport_seccomp_program folder name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  add_executable(write_${name} ${arg_SOURCES} ${CMAKE_SOURCE_DIR}/base/seccomp_export.cpp)
  target_link_libraries(write_${name} PRIVATE sallyport_flags sallyport_base PkgConfig::libseccomp)
  set_target_properties(write_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)
  set(written ${CMAKE_BINARY_DIR}/generated/${folder}/${name}.cpp)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/${folder})
  add_custom_command(OUTPUT ${written}
    COMMAND write_${name} > ${written}.new && ${CMAKE_COMMAND} -E rename ${written}.new ${written}
    DEPENDS write_${name} VERBATIM)
endfunction()

# sallyport_executable(NAME SOURCES … USES …): a program in bin/.
function(sallyport_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND sallyport_)
  target_link_libraries(${name} PRIVATE sallyport_flags ${arg_USES} ${arg_LIBRARIES})
endfunction()

# sallyport_tests(FOLDER SOURCES a_test.cpp … USES …): one test program a folder, one ctest case a TEST().
function(sallyport_tests name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;USES;LIBRARIES;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  list(TRANSFORM arg_USES PREPEND sallyport_)
  add_executable(${name}_tests ${arg_SOURCES})
  sallyport_compile_alone(${arg_SOURCES})
  set_target_properties(${name}_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_precompile_headers(${name}_tests PRIVATE <gmock/gmock.h> <gtest/gtest.h> <string> <vector> <optional>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name}_tests PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)  # GCC bug 105651 again, at -O1
  endif()
  if(NOT SALLYPORT_SANITIZE)
    target_compile_options(${name}_tests PRIVATE -O1)  # tests compile faster so; what they test is built as it ships
  endif()
  target_link_libraries(${name}_tests PRIVATE sallyport_flags ${arg_USES} ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name}_tests TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${name};${arg_LABELS}")
endfunction()

# sallyport_fuzz_target(NAME USES proxy …): a libFuzzer program over sans-I/O code; corpus in tests/fuzz/corpus/NAME.
function(sallyport_fuzz_target name)
  cmake_parse_arguments(arg "" "" "USES;LIBRARIES" ${ARGN})
  list(TRANSFORM arg_USES PREPEND sallyport_)
  add_executable(fuzz_${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cpp)
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE sallyport_flags ${arg_USES} ${arg_LIBRARIES})
  add_dependencies(fuzz fuzz_${name})
endfunction()
