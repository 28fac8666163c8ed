# Install rules for data, and the Debian package.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/policies/presets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sallyport/presets FILES_MATCHING PATTERN "*.yaml")
# The build tree finds its presets where the install tree has them.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/sallyport)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/policies/presets ${CMAKE_BINARY_DIR}/share/sallyport/presets SYMBOLIC)
