# kb_embed(<target> <symbol> <file>): the bytes of <file>, NUL-terminated, as
# extern "C" const char <symbol>[] and const char <symbol>_end[] (the NUL).
function(kb_embed target symbol file)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/embed_${symbol}.cc)
  file(CONFIGURE OUTPUT ${generated} CONTENT [[
asm(".section .rodata\n.balign 16\n.global @symbol@\n.hidden @symbol@\n"
    "@symbol@:\n.incbin \"@file@\"\n"
    ".global @symbol@_end\n.hidden @symbol@_end\n@symbol@_end:\n.byte 0\n"
    ".previous\n");
]] @ONLY)
  target_sources(${target} PRIVATE ${generated})
  # A unity source would not be made anew with the file.
  set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS ${file}
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
