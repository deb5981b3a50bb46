# uPlot, which draws the plots of a report, comes from npm into the folder of the build and is carried by the program.
# Without npm or a network the program is built all the same, and `report` says what is missing. MIT licence.
set(DAL_UPLOT_VERSION 1.6.32)
set(DAL_UPLOT_DIR ${PROJECT_BINARY_DIR}/npm/node_modules/uplot/dist CACHE PATH "where uPlot.iife.min.js is")
option(DAL_UPLOT "fetch uPlot from npm if it is not there" ON)
find_program(DAL_NPM npm)
mark_as_advanced(DAL_NPM)
if(DAL_UPLOT AND DAL_NPM AND NOT EXISTS ${DAL_UPLOT_DIR}/uPlot.iife.min.js AND NOT DAL_UPLOT_TRIED)
  execute_process(COMMAND ${DAL_NPM} install --prefix ${PROJECT_BINARY_DIR}/npm --no-audit --no-fund --no-save --ignore-scripts
                          --fetch-retries=1 --fetch-timeout=20000 uplot@${DAL_UPLOT_VERSION}
                  OUTPUT_QUIET ERROR_QUIET TIMEOUT 120)
  set(DAL_UPLOT_TRIED ON CACHE INTERNAL "once is enough: delete the folder of the build to try again")
endif()
if(EXISTS ${DAL_UPLOT_DIR}/uPlot.iife.min.js)
  set(DAL_UPLOT_FILES ${DAL_UPLOT_DIR}/uPlot.iife.min.js ${DAL_UPLOT_DIR}/uPlot.min.css)
else()
  message(STATUS "uPlot is missing: pages of `dalembert report` will have no plots (install npm, and build anew)")
endif()
