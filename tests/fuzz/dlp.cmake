# The secret scanner: whole, its decompressors, and its decoders of text.
file(GLOB dlp_sources ${CMAKE_SOURCE_DIR}/dlp/*.cpp)
add_library(fuzz_dlp_library STATIC ${dlp_sources})  # once for all three
target_compile_options(fuzz_dlp_library PRIVATE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
target_link_libraries(fuzz_dlp_library PUBLIC sallyport_flags PkgConfig::zlib PkgConfig::libzstd PkgConfig::libbrotlidec PkgConfig::re2
                                              PkgConfig::openssl Boost::headers)
foreach(name dlp_scanner dlp_decompressor dlp_layers)
  sallyport_fuzz_target(${name} LIBRARIES fuzz_dlp_library)
endforeach()
