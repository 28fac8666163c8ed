# The channel is read by the process that holds authority; the log holds whatever hostile code chose as names and paths.
set(audit_json audit/event.cpp audit/event_writer.cpp audit/json_text.cpp audit/json_writer.cpp)
set(audit_libraries Boost::json PkgConfig::openssl PkgConfig::libsodium)
sallyport_fuzz_target(channel SOURCES audit/channel.cpp audit/event_reader.cpp ${audit_json} LIBRARIES ${audit_libraries})
sallyport_fuzz_target(audit_line
  SOURCES audit/line_writer.cpp audit/chain.cpp audit/files.cpp audit/key_file.cpp audit/record.cpp audit/signature.cpp audit/tally.cpp
          ${audit_json}
  LIBRARIES ${audit_libraries})
