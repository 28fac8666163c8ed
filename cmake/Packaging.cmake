# What `cmake --install` puts where, and the Debian package.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/policies/presets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sallyport/presets FILES_MATCHING PATTERN "*.yaml")
install(FILES ${CMAKE_SOURCE_DIR}/docs/policy.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/sallyport)
install(FILES ${CMAKE_SOURCE_DIR}/docs/sallyport.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/docs/policy_reference.md ${CMAKE_SOURCE_DIR}/docs/audit_format.md
              ${CMAKE_SOURCE_DIR}/docs/threat_model.md ${CMAKE_SOURCE_DIR}/docs/dlp.md ${CMAKE_SOURCE_DIR}/docs/containers.md
              DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Symbolic links in the templates lead to what they share, and stay: the folders keep their places.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/devcontainer/src ${CMAKE_SOURCE_DIR}/devcontainer/templates
        DESTINATION ${CMAKE_INSTALL_DATADIR}/sallyport/devcontainer USE_SOURCE_PERMISSIONS)
install(FILES ${CMAKE_SOURCE_DIR}/devcontainer/50-sallyport.json DESTINATION ${CMAKE_INSTALL_DATADIR}/containers/oci/hooks.d)
configure_file(${CMAKE_SOURCE_DIR}/cli/systemd/sallyport-proxy.service ${CMAKE_BINARY_DIR}/systemd/sallyport-proxy.service @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cli/systemd/sallyport-proxy.socket ${CMAKE_BINARY_DIR}/systemd/sallyport-proxy.socket COPYONLY)
install(FILES ${CMAKE_BINARY_DIR}/systemd/sallyport-proxy.socket DESTINATION lib/systemd/system)
# The prefix is known only now: the package's is not the one that was configured.
install(CODE "
  set(CMAKE_INSTALL_FULL_BINDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  configure_file(${CMAKE_SOURCE_DIR}/cli/systemd/sallyport-proxy.service ${CMAKE_BINARY_DIR}/systemd/installed/sallyport-proxy.service @ONLY)
  file(INSTALL ${CMAKE_BINARY_DIR}/systemd/installed/sallyport-proxy.service DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/systemd/system\")")
set(completions ${CMAKE_SOURCE_DIR}/cli/completions)
install(FILES ${completions}/sallyport.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sallyport)
install(FILES ${completions}/_sallyport DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${completions}/sallyport.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The build tree finds its presets and templates where the install tree has them.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/sallyport)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/policies/presets ${CMAKE_BINARY_DIR}/share/sallyport/presets SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/devcontainer ${CMAKE_BINARY_DIR}/share/sallyport/devcontainer SYMBOLIC)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "Sallyport developers <security@sallyport.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
