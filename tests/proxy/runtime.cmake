# Tests of the gateway's runtime: real sockets on loopback, and real gateway processes.
sallyport_tests(proxy_runtime
  SOURCES activity_test.cpp adopt_socket_test.cpp audit_channel_test.cpp cares_channel_test.cpp client_hello_samples.cpp
          confine_test.cpp connect_client_test.cpp deadline_test.cpp dialer_test.cpp dlp_inspection_test.cpp dlp_judge_test.cpp dlp_rules_test.cpp dlp_setup_test.cpp dns_cache_test.cpp dns_resolver_test.cpp dns_responder_test.cpp dns_stub_test.cpp egress_test.cpp listener_test.cpp
          broker_test.cpp budgeted_body_test.cpp client_origin_test.cpp counting_audit_test.cpp live_requests_test.cpp memory_file_test.cpp metrics_server_test.cpp name_budget_test.cpp name_guard_test.cpp policy_file_test.cpp
          egress_record_test.cpp gateway_clients.cpp gateway_filter_test.cpp gateway_harness.cpp gateway_test.cpp
          head_redaction_test.cpp heap_trim_test.cpp hosts_file_test.cpp landlock_test.cpp http1_body_test.cpp http1_requester_test.cpp http1_responder_test.cpp http_exchange_test.cpp http_session_test.cpp event_framing_test.cpp event_inspector_test.cpp inspected_body_test.cpp inspected_requester_test.cpp unresolved_names_test.cpp utf8_check_test.cpp intercept_test.cpp loopback.cpp name_server.cpp net_address_test.cpp
          opening_test.cpp original_destination_test.cpp packet_log_test.cpp reject_message_test.cpp relay_test.cpp request_refusals_test.cpp
          secret_page_test.cpp session_test.cpp sigv4_test.cpp socks5_client_test.cpp socks5_session_test.cpp splice_pipes_test.cpp stream_test.cpp synthetic_names_test.cpp task_set_test.cpp tenant_test.cpp tenants_test.cpp trails_test.cpp timed_inspection_test.cpp
          tls_bridge_test.cpp tls_layer_test.cpp tls_peer.cpp tunnel_answer_test.cpp tunnel_test.cpp upstream_hop_test.cpp whole_body_test.cpp
  USES proxy
  LIBRARIES PkgConfig::openssl
  TIMEOUT 120)
