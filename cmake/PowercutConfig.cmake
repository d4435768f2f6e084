# Crash tests for CTest:
#
#   find_package(Powercut REQUIRED)
#   target_link_libraries(app PRIVATE Powercut::Powercut)       # for powercut.h; it links nothing
#   add_crash_test(NAME app CAMPAIGN app.yaml PROGRAM app)
#
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# Beside an installation, and in a checkout.
find_program(POWERCUT_COMMAND powercut
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/..")
find_path(POWERCUT_INCLUDE_DIR powercut.h
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../include" "${CMAKE_CURRENT_LIST_DIR}/../include")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Powercut REQUIRED_VARS POWERCUT_COMMAND POWERCUT_INCLUDE_DIR)
mark_as_advanced(POWERCUT_COMMAND POWERCUT_INCLUDE_DIR)

if(Powercut_FOUND AND NOT TARGET Powercut::Powercut)
  add_library(Powercut::Powercut INTERFACE IMPORTED)
  set_target_properties(Powercut::Powercut PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${POWERCUT_INCLUDE_DIR}")
endif()

# add_crash_test(NAME <test> CAMPAIGN <file> [PROGRAM <target>] [SET <key=value>...] [TIMEOUT <seconds>])
#
# A test that fails unless the campaign is clean: bugs, and runs that could test nothing. PROGRAM gives the campaign the
# parameter {program}, the path of a target's executable. Runs are kept in powercut-runs of the build folder.
function(add_crash_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;CAMPAIGN;PROGRAM;TIMEOUT" "SET")
  if(NOT test_NAME OR NOT test_CAMPAIGN)
    message(FATAL_ERROR "add_crash_test: NAME and CAMPAIGN are needed")
  endif()
  if(test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_crash_test: unknown arguments: ${test_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(campaign "${test_CAMPAIGN}" ABSOLUTE)
  if(NOT EXISTS "${campaign}")
    message(FATAL_ERROR "add_crash_test: there is no ${campaign}")
  endif()
  set(overrides)
  if(test_PROGRAM)
    list(APPEND overrides --set "parameters.program=$<TARGET_FILE:${test_PROGRAM}>")
  endif()
  foreach(override IN LISTS test_SET)
    list(APPEND overrides --set "${override}")
  endforeach()
  # Two campaigns of one name would share a folder of runs.
  add_test(NAME "${test_NAME}"
    COMMAND "${POWERCUT_COMMAND}" run "${campaign}" --quiet --runs "${CMAKE_CURRENT_BINARY_DIR}/powercut-runs/${test_NAME}"
      ${overrides})
  set_tests_properties("${test_NAME}" PROPERTIES LABELS powercut RUN_SERIAL TRUE)
  if(test_TIMEOUT)
    set_tests_properties("${test_NAME}" PROPERTIES TIMEOUT "${test_TIMEOUT}")
  endif()
endfunction()
