# Tests of HTTP/2: frames by hand, both ends of ours over loopback, curl and the tools of nghttp2.
sallyport_tests(proxy_h2
  SOURCES h2_client_test.cpp h2_flood_test.cpp h2_head_test.cpp h2_pair.cpp h2_server_test.cpp h2_session_test.cpp h2_stream_test.cpp
          loopback.cpp wakeup_test.cpp ${CMAKE_SOURCE_DIR}/tests/support/run_command.cpp ${CMAKE_SOURCE_DIR}/tests/support/temp_dir.cpp
  USES proxy)
# Tests of the gateway between a client and a server that speak HTTP/2.
sallyport_tests(proxy_http2
  SOURCES content_scan_test.cpp grpc_framing_test.cpp grpc_inspector_test.cpp shared_upstream_test.cpp unpacked_message_test.cpp http2_body_test.cpp http2_requester_test.cpp http2_session_test.cpp
          client_hello_samples.cpp gateway_clients.cpp gateway_harness.cpp h2_pair.cpp http2_peers.cpp
          loopback.cpp tls_peer.cpp
  USES proxy
  LIBRARIES PkgConfig::openssl PkgConfig::zlib)
