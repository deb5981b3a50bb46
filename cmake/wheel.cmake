# What a wheel of the Python module carries: the library and the program without shared libraries that another machine may
# lack, the parts, the examples. `cmake --install BUILD --component wheel --prefix DIR` puts them where the module looks for
# them; setup.py does that. KLU and jansson are linked in from their archives (lib*.a).
if(KLU_FOUND AND NOT KLU_ARCHIVES OR DAL_SANITIZE)
  return() # the objects call a KLU that is shared; setup.py configures a build without it
endif()
find_library(JANSSON_ARCHIVE libjansson.a)
mark_as_advanced(JANSSON_ARCHIVE)
set(jansson ${JANSSON_LIBRARY})
if(JANSSON_ARCHIVE)
  set(jansson ${JANSSON_ARCHIVE})
endif()
add_library(dalembert_alone SHARED ${objects})
target_link_libraries(dalembert_alone PRIVATE ${KLU_ARCHIVES} m ${CMAKE_DL_LIBS} Threads::Threads)
add_executable(dalembert_program_alone cli/main.c $<TARGET_OBJECTS:dal_commands>)
target_include_directories(dalembert_program_alone PRIVATE cli include)
target_link_libraries(dalembert_program_alone PRIVATE dalembert_alone ${jansson} m ${CMAKE_DL_LIBS})
set_target_properties(dalembert_alone dalembert_program_alone PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME dalembert
                      LINK_OPTIONS "-Wl,--exclude-libs,ALL" LIBRARY_OUTPUT_DIRECTORY alone RUNTIME_OUTPUT_DIRECTORY alone
                      INSTALL_RPATH "$ORIGIN/..")
add_custom_target(wheel_files DEPENDS dalembert_alone dalembert_program_alone)
add_dependencies(wheel_files stubs)
install(TARGETS dalembert_alone LIBRARY DESTINATION . COMPONENT wheel EXCLUDE_FROM_ALL)
install(TARGETS dalembert_program_alone RUNTIME DESTINATION bin COMPONENT wheel EXCLUDE_FROM_ALL)
install(DIRECTORY share/ DESTINATION share/dalembert COMPONENT wheel EXCLUDE_FROM_ALL)
install(DIRECTORY examples/ DESTINATION examples COMPONENT wheel EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.dal"
        PATTERN "c" EXCLUDE PATTERN "python" EXCLUDE PATTERN "notebooks" EXCLUDE)
