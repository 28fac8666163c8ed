# The parsers that meet bytes from the jail and from servers first.
set(hosts policies/canonical_host.cpp policies/address_class.cpp policies/quote.cpp)
set(heads proxy/request_head.cpp proxy/field_lines.cpp proxy/body_kind.cpp proxy/token.cpp)
set(targets proxy/request_target.cpp policies/canonical_path.cpp ${hosts})
set(host_libraries Boost::headers PkgConfig::libidn2)
sallyport_fuzz_target(client_hello SOURCES proxy/client_hello.cpp ${hosts} LIBRARIES ${host_libraries})
sallyport_fuzz_target(socks5 SOURCES proxy/socks5.cpp ${hosts} LIBRARIES ${host_libraries})
sallyport_fuzz_target(dns_message SOURCES proxy/dns_message.cpp policies/address_class.cpp policies/quote.cpp LIBRARIES Boost::headers)
sallyport_fuzz_target(request_head SOURCES ${heads} ${targets} proxy/request_writer.cpp LIBRARIES ${host_libraries})
sallyport_fuzz_target(response_head SOURCES ${heads} ${targets} proxy/request_writer.cpp LIBRARIES ${host_libraries})
sallyport_fuzz_target(request_target SOURCES ${heads} ${targets} LIBRARIES ${host_libraries})
sallyport_fuzz_target(h2_session
  SOURCES proxy/h2_session.cpp proxy/h2_inbox.cpp proxy/h2_library.cpp proxy/h2_head.cpp proxy/h2_flood.cpp proxy/wakeup.cpp
          proxy/request_writer.cpp ${heads} ${targets}
  LIBRARIES ${host_libraries} PkgConfig::libnghttp2 Threads::Threads)
# clang 14 cannot check the types of functions that are coroutines: it fails with "difference across sections".
target_compile_options(fuzz_h2_session PRIVATE -fno-sanitize=function)
sallyport_fuzz_target(body_framing SOURCES proxy/body_framing.cpp ${heads} LIBRARIES Boost::headers)
sallyport_fuzz_target(ws_frames SOURCES proxy/websocket_frame.cpp proxy/websocket_checker.cpp proxy/websocket_reader.cpp dlp/utf8.cpp
  LIBRARIES Boost::headers)
