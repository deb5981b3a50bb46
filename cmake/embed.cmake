# Writes files into a C source, so that a program or a library carries them byte for byte:
#     cmake -DOUT=embedded.c -DHEADER=embedded.h -DTYPE=embedded_file -DTABLE=embedded_files -DROOT=dir "-DFILES=a;b" -P embed.cmake
# HEADER declares the table and the type of its rows: name, data, size. Files are named by their path below ROOT, and
# sorted by it. See cli/embedded.h and src/step/embedded.h.
set(arrays "")
set(rows "")
set(number 0)
list(SORT FILES)
foreach(file IN LISTS FILES)
  file(READ ${file} bytes HEX)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(LENGTH "${bytes}" length)
  math(EXPR size "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char file_${number}[] = {\n    ${bytes}0x00};\n")
  string(APPEND rows "    {\"${name}\", (const char *)file_${number}, ${size}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"${HEADER}\"\n\n${arrays}\nconst ${TYPE} ${TABLE}[] = {\n${rows}    {0, 0, 0}};\n")
