# The Python module is installed where python3 looks for modules, with a note on where the library went.
find_program(DAL_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(DAL_PYTHON python3)
mark_as_advanced(DAL_PYTHON)
set(where share/dalembert/python)
if(DAL_PYTHON)
  execute_process(COMMAND ${DAL_PYTHON} -c "import sys; print('lib/python%d.%d' % sys.version_info[:2])"
                  OUTPUT_VARIABLE of_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(of_version AND EXISTS /etc/debian_version)
    set(where ${of_version}/dist-packages)
  elseif(of_version)
    set(where ${of_version}/site-packages)
  endif()
endif()
set(DAL_PYTHON_DIR ${where} CACHE STRING "where the Python module is installed, below the prefix")
file(RELATIVE_PATH up /usr/${DAL_PYTHON_DIR}/dalembert /usr)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/library.txt
     CONTENT "${up}${CMAKE_INSTALL_LIBDIR}/$<TARGET_SONAME_FILE_NAME:dalembert>\n")
install(DIRECTORY python/dalembert DESTINATION ${DAL_PYTHON_DIR} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
install(FILES ${PROJECT_BINARY_DIR}/library.txt DESTINATION ${DAL_PYTHON_DIR}/dalembert)

# The types of its functions, for editors: with every option, as the library has them.
add_custom_target(stubs ALL)
if(DAL_PYTHON AND NOT DAL_SANITIZE)
  file(GLOB modules CONFIGURE_DEPENDS python/dalembert/*.py)
  add_custom_command(OUTPUT _model.pyi
                     COMMAND ${CMAKE_COMMAND} -E env DALEMBERT_LIBRARY=$<TARGET_FILE:dalembert> PYTHONPATH=${PROJECT_SOURCE_DIR}/python
                             ${DAL_PYTHON} -B ${PROJECT_SOURCE_DIR}/cmake/stubs.py _model.pyi
                     DEPENDS dalembert ${modules} cmake/stubs.py VERBATIM)
  add_custom_target(write_stubs DEPENDS _model.pyi)
  add_dependencies(stubs write_stubs)
  install(FILES ${PROJECT_BINARY_DIR}/_model.pyi DESTINATION ${DAL_PYTHON_DIR}/dalembert)
  install(FILES ${PROJECT_BINARY_DIR}/_model.pyi DESTINATION . COMPONENT wheel EXCLUDE_FROM_ALL)
endif()

# The last word of an installation: what makes `import dalembert` work.
install(CODE "set(python \"${DAL_PYTHON}\")\nset(module \"\${CMAKE_INSTALL_PREFIX}/${DAL_PYTHON_DIR}\")")
install(SCRIPT cmake/python-path.cmake)
