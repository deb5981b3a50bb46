# uPlot, with which the plots of a report are zoomed, is fetched from the registry of npm into the folder of the build and
# carried by the program. Without a network the program is built all the same, and draws these plots itself. MIT licence.
set(DAL_UPLOT_VERSION 1.6.32)
set(DAL_UPLOT_SHA512 2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023)
set(DAL_UPLOT_DIR ${PROJECT_BINARY_DIR}/npm/package/dist CACHE PATH "where uPlot.iife.min.js is")
option(DAL_UPLOT "fetch uPlot if it is not there" ON)
if(DAL_UPLOT AND NOT EXISTS ${DAL_UPLOT_DIR}/uPlot.iife.min.js AND NOT DAL_UPLOT_TRIED)
  fetch_npm(uplot ${DAL_UPLOT_VERSION} ${DAL_UPLOT_SHA512} ${PROJECT_BINARY_DIR}/npm
            "plots of `dalembert report` will be pictures that cannot be zoomed")
endif()
if(EXISTS ${DAL_UPLOT_DIR}/uPlot.iife.min.js)
  set(DAL_UPLOT_FILES ${DAL_UPLOT_DIR}/uPlot.iife.min.js ${DAL_UPLOT_DIR}/uPlot.min.css)
endif()
