# impasse_add_check: checks of a project as tests of ctest. See docs/builds.md.
#
# Include it before the targets: the database of compile commands has those that come later.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# As installed, and in a checkout.
find_program(IMPASSE_EXECUTABLE impasse
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/..")
if(NOT IMPASSE_EXECUTABLE)
  set(Impasse_FOUND FALSE)
  set(Impasse_NOT_FOUND_MESSAGE "the program impasse is not there; set IMPASSE_EXECUTABLE to its path")
  return()
endif()

# impasse_add_check(NAME name [TARGETS target...] [SOURCES file...] [LIBRARIES target...] [OPTIONS option...])
#
# Adds the test impasse.NAME: `impasse check` of these targets, of a program made of these sources, or of both. The sources are
# compiled with the include folders, definitions and options of LIBRARIES, whose own sources belong to the program. The test fails
# unless the verdict is `verified`.
function(impasse_add_check)
  cmake_parse_arguments(CHECK "" "NAME" "TARGETS;SOURCES;LIBRARIES;OPTIONS" ${ARGN})
  if(NOT CHECK_NAME)
    message(FATAL_ERROR "impasse_add_check: NAME is missing")
  endif()
  if(CHECK_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "impasse_add_check(${CHECK_NAME}): unknown argument ${CHECK_UNPARSED_ARGUMENTS}")
  endif()
  set(targets ${CHECK_TARGETS})
  if(CHECK_SOURCES)
    set(harness impasse_check_${CHECK_NAME})
    add_library(${harness} OBJECT EXCLUDE_FROM_ALL ${CHECK_SOURCES})
    target_link_libraries(${harness} PRIVATE ${CHECK_LIBRARIES})
    list(APPEND targets ${harness})
  endif()
  list(APPEND targets ${CHECK_LIBRARIES})
  if(NOT targets)
    message(FATAL_ERROR "impasse_add_check(${CHECK_NAME}): TARGETS or SOURCES must name what is checked")
  endif()
  list(TRANSFORM targets PREPEND "--target=")
  add_test(NAME impasse.${CHECK_NAME}
    COMMAND "${IMPASSE_EXECUTABLE}" check --compile-commands "${CMAKE_BINARY_DIR}" ${targets} ${CHECK_OPTIONS}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties(impasse.${CHECK_NAME} PROPERTIES LABELS impasse)
endfunction()
