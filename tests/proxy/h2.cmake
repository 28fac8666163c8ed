# Tests of HTTP/2: frames by hand, both ends of ours over loopback, curl and the tools of nghttp2.
sallyport_tests(proxy_h2
  SOURCES h2_client_test.cpp h2_flood_test.cpp h2_head_test.cpp h2_pair.cpp h2_server_test.cpp h2_session_test.cpp h2_stream_test.cpp
          loopback.cpp wakeup_test.cpp ${CMAKE_SOURCE_DIR}/tests/support/run_command.cpp ${CMAKE_SOURCE_DIR}/tests/support/temp_dir.cpp
  USES proxy)
