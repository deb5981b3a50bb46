# Run at the end of an installation: says what makes `import dalembert` work. python: the interpreter, module: the folder
# that holds the package.
set(looks FALSE)
if(python)
  execute_process(COMMAND ${python} -c "import sys; print('\n'.join(sys.path))" OUTPUT_VARIABLE path ERROR_QUIET)
  string(FIND "\n${path}\n" "\n${module}\n" looks)
endif()
if(python AND NOT looks EQUAL -1)
  message(STATUS "Python: ${python} finds the module: import dalembert")
else()
  message(STATUS "Python: for `import dalembert`, say   export PYTHONPATH=${module}")
endif()
