# Tests of WebSockets: frames by hand, and both ends of a relay.
sallyport_tests(proxy_websocket
  SOURCES gateway_clients.cpp gateway_harness.cpp held_message_test.cpp client_hello_samples.cpp loopback.cpp websocket_checker_test.cpp websocket_extensions_test.cpp websocket_frame_test.cpp
          websocket_handshake_test.cpp websocket_inflater_test.cpp websocket_lane_test.cpp websocket_reader_test.cpp websocket_relay_test.cpp
          websocket_upgrade_test.cpp websocket_writer_test.cpp
  USES proxy
  LIBRARIES PkgConfig::zlib PkgConfig::openssl)
