# label_threads(TEST FILE): gives the test the label `threads`, for the thread sanitizer, if it uses threads: if its source,
# or a header of tests/ that it includes, mentions them, or if it sweeps, which the program does on all processors.
# tests/cli/threads.sh finds those that were missed.
set(threads_tests ${CMAKE_CURRENT_LIST_DIR})

function(mentions_threads file out)
  file(STRINGS ${file} found LIMIT_COUNT 1 REGEX "thread|(exits [0-9]+|DALEMBERT\"|dalembert) sweep")
  file(STRINGS ${file} included REGEX "^#include \"[a-z_]+\\.h\"")
  foreach(line IN LISTS included)
    string(REGEX REPLACE "^#include \"([a-z_]+\\.h)\".*$" "${threads_tests}/\\1" header "${line}")
    if(NOT found AND EXISTS ${header})
      mentions_threads(${header} found)
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

function(label_threads test file)
  mentions_threads(${file} found)
  if(found)
    set_property(TEST ${test} APPEND PROPERTY LABELS threads)
  endif()
endfunction()
