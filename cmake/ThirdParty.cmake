# Third-party libraries, each linked by exactly one module and statically, so
# that what we ship needs nothing but glibc.
function(kb_static_library target name)
  find_library(KB_LIB_${target} NAMES lib${name}.a REQUIRED)
  add_library(kb_third_party_${target} INTERFACE)
  target_link_libraries(kb_third_party_${target} INTERFACE ${KB_LIB_${target}})
endfunction()

kb_static_library(seccomp seccomp)
kb_static_library(crypto crypto)
kb_static_library(zlib z)
# Without it zlib takes its input as a pointer to what it might change.
target_compile_definitions(kb_third_party_zlib INTERFACE ZLIB_CONST=1)
kb_static_library(sqlite sqlite3)
target_link_libraries(kb_third_party_sqlite INTERFACE ${CMAKE_DL_LIBS})

# No libfmt.a in Debian 12.
add_library(kb_third_party_fmt STATIC cmake/fmt.cc)

# Debian's own target forces the shared library.
add_library(kb_third_party_toml INTERFACE)
target_compile_definitions(kb_third_party_toml INTERFACE TOML_HEADER_ONLY=1)

if(BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()
