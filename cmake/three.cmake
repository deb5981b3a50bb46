# three.js, with which a report draws bodies in space, is fetched as uPlot is. Without it the page draws them by itself. MIT licence.
# It comes as two modules, of which the second imports the first; a page that is one file has no modules, so they are made one script:
#     export{a as A,..};                 ->   return{A:a,..}
#     import{A as a,..}from"./three..";  ->   const{A:a,..}=core;
set(DAL_THREE_VERSION 0.185.0)
set(DAL_THREE_SHA512 fb246b7113b68996bcbb3bcd365d1dedc2f886e8602a006f549d278dc4def3116a67a0cc00565d08a0cff7548402e8f6e5b3408fb93541075ffacad9cb054aeb)
set(DAL_THREE_DIR ${PROJECT_BINARY_DIR}/npm/three/package/build CACHE PATH "where three.core.min.js and three.module.min.js are")
option(DAL_THREE "fetch three.js if it is not there" ON)
if(DAL_THREE AND NOT EXISTS ${DAL_THREE_DIR}/three.module.min.js AND NOT DAL_THREE_TRIED)
  fetch_npm(three ${DAL_THREE_VERSION} ${DAL_THREE_SHA512} ${PROJECT_BINARY_DIR}/npm/three
            "`dalembert report` will draw bodies in space without WebGL")
endif()

# The body of a module, and what it exports as the members of an object.
function(read_module file body exports)
  file(READ ${file} text)
  string(FIND "${text}" "export{" at REVERSE)
  string(SUBSTRING "${text}" 0 ${at} before)
  string(SUBSTRING "${text}" ${at} -1 names)
  string(REGEX REPLACE "([A-Za-z0-9_$]+) as ([A-Za-z0-9_$]+)" "\\2:\\1" names "${names}")
  string(REGEX REPLACE "^export({[^}]*}).*" "\\1" names "${names}")
  set(${body} "${before}" PARENT_SCOPE)
  set(${exports} "${names}" PARENT_SCOPE)
endfunction()

set(three ${PROJECT_BINARY_DIR}/npm/three.js)
if(EXISTS ${DAL_THREE_DIR}/three.module.min.js AND NOT EXISTS ${three})
  read_module(${DAL_THREE_DIR}/three.core.min.js core core_exports)
  read_module(${DAL_THREE_DIR}/three.module.min.js module module_exports)
  string(FIND "${module}" "import{" at)
  string(SUBSTRING "${module}" ${at} -1 module)
  string(REGEX MATCH "^import({[^}]*})from\"./three.core.min.js\";export{[^}]*}from\"./three.core.min.js\";" head "${module}")
  string(REGEX REPLACE "([A-Za-z0-9_$]+) as ([A-Za-z0-9_$]+)" "\\1:\\2" imports "${CMAKE_MATCH_1}")
  string(LENGTH "${head}" at)
  string(SUBSTRING "${module}" ${at} -1 module)
  file(WRITE ${three} "const THREE=(()=>{\nconst core=(()=>{${core}return${core_exports}})();\n"
                      "const${imports}=core;${module}return{...core,...${module_exports}}})();\n")
endif()
if(EXISTS ${three})
  set(DAL_THREE_FILES ${three})
endif()
