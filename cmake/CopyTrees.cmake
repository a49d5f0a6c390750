cmake_minimum_required(VERSION 3.25)

# Only a link: 60 MB that few need (hosts/datasets.py).
if(EXISTS ${SOURCE}/.duckdb/duckdb)
  file(CREATE_LINK ${SOURCE}/.duckdb ${DIST}/lib/duckdb SYMBOLIC)
endif()

foreach(file models.toml prices.json)
  file(COPY ${SOURCE}/share/${file} DESTINATION ${DIST}/share)
endforeach()

# Mirrors the folders that are used as they are into DIST: what left the source
# leaves DIST too.
foreach(tree hosts problems samples share/include share/prompts
    share/schemas)
  file(GLOB_RECURSE wanted RELATIVE ${SOURCE}/${tree} ${SOURCE}/${tree}/*)
  list(FILTER wanted EXCLUDE REGEX "__pycache__")
  file(GLOB_RECURSE present RELATIVE ${DIST}/${tree} ${DIST}/${tree}/*)
  foreach(name IN LISTS present)
    if(NOT name IN_LIST wanted)
      file(REMOVE ${DIST}/${tree}/${name})
    endif()
  endforeach()
  foreach(name IN LISTS wanted)
    get_filename_component(folder ${DIST}/${tree}/${name} DIRECTORY)
    file(COPY ${SOURCE}/${tree}/${name} DESTINATION ${folder})
  endforeach()
endforeach()

# Programs whose verdict is known, for `selftest --hostile --legitimate`.
foreach(group hostile legitimate)
  file(GLOB_RECURSE wanted RELATIVE ${SOURCE}/tests/${group} ${SOURCE}/tests/${group}/*)
  list(FILTER wanted INCLUDE REGEX "/.*\\.(cu|cpp|py|h)$")
  list(FILTER wanted EXCLUDE REGEX "__pycache__")
  file(REMOVE_RECURSE ${DIST}/corpus/${group})
  foreach(name IN LISTS wanted)
    get_filename_component(folder ${DIST}/corpus/${group}/${name} DIRECTORY)
    file(COPY ${SOURCE}/tests/${group}/${name} DESTINATION ${folder})
  endforeach()
endforeach()
