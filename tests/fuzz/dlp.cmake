# The secret scanner: whole, its decompressors, and its decoders of text.
file(GLOB dlp_sources RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/dlp/*.cpp)
set(dlp_needs PkgConfig::zlib PkgConfig::libzstd PkgConfig::libbrotlidec PkgConfig::re2 PkgConfig::openssl Boost::headers)
sallyport_fuzz_target(dlp_scanner SOURCES ${dlp_sources} LIBRARIES ${dlp_needs})
sallyport_fuzz_target(dlp_decompressor SOURCES ${dlp_sources} LIBRARIES ${dlp_needs})
sallyport_fuzz_target(dlp_layers SOURCES ${dlp_sources} LIBRARIES ${dlp_needs})
