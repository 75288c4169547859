# The public headers, component by component: what is installed, and what tests/headers compiles alone.

set(INFERWIRE_CLIENT_HEADERS
  async_stream.hpp
  auth_report.hpp
  batch.hpp
  by_name.hpp
  cancel.hpp
  chat.hpp
  chat_message.hpp
  client.hpp
  client_options.hpp
  clock.hpp
  completions.hpp
  credential.hpp
  credential_options.hpp
  data_uri.hpp
  dictionary.hpp
  description.hpp
  duration.hpp
  embeddings.hpp
  environment.hpp
  error.hpp
  event_loop.hpp
  exceptions.hpp
  executor.hpp
  finish.hpp
  forwarding.hpp
  from_json.hpp
  fwd.hpp
  headers.hpp
  inferwire.hpp
  json.hpp
  log.hpp
  logprobs.hpp
  models.hpp
  network.hpp
  nlohmann.hpp
  observer.hpp
  open_enum.hpp
  optional.hpp
  pending.hpp
  prompt_cache_options.hpp
  provider.hpp
  resources.hpp
  response_events.hpp
  response_info.hpp
  response_items.hpp
  responses.hpp
  result.hpp
  retry_policy.hpp
  schema.hpp
  secret.hpp
  shape.hpp
  stream.hpp
  stream_options.hpp
  structured_output.hpp
  text_or_list.hpp
  timeouts.hpp
  tools.hpp
  transport.hpp
  usage.hpp
  visibility.hpp
  vocabulary.hpp
  when.hpp)
set(INFERWIRE_ENGINE_HEADERS
  engine/cassette.hpp
  engine/embedding_model.hpp
  engine/engine.hpp
  engine/engine_transport.hpp
  engine/journal.hpp
  engine/language_model.hpp
  engine/script.hpp
  engine/service.hpp)
set(INFERWIRE_SERVER_HEADERS
  server/http_server.hpp)
set(INFERWIRE_LLAMA_HEADERS
  llama/llama.hpp)
set(INFERWIRE_TESTING_HEADERS
  testing/certificate.hpp
  testing/gate.hpp
  testing/handler.hpp
  testing/manual_clock.hpp
  testing/mock_server.hpp
  testing/reply.hpp
  testing/script_transport.hpp)
set(INFERWIRE_GENERATED_HEADERS
  export.hpp
  version.hpp)

# inferwire_public_headers(<target> <scope> <header>...): the headers of a component, below include/inferwire.
function(inferwire_public_headers target scope)
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/include/inferwire/")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${ARGN})
endfunction()

inferwire_public_headers(inferwire PUBLIC ${INFERWIRE_CLIENT_HEADERS})
list(TRANSFORM INFERWIRE_GENERATED_HEADERS PREPEND "${INFERWIRE_GENERATED}/inferwire/" OUTPUT_VARIABLE generated)
target_sources(inferwire PUBLIC
  FILE_SET generated_headers TYPE HEADERS BASE_DIRS "${INFERWIRE_GENERATED}" FILES ${generated})
if(TARGET inferwire_engine_interface)
  inferwire_public_headers(inferwire_engine_interface INTERFACE ${INFERWIRE_ENGINE_HEADERS})
endif()
if(TARGET inferwire_server)
  inferwire_public_headers(inferwire_server PUBLIC ${INFERWIRE_SERVER_HEADERS})
endif()
if(TARGET inferwire_llama)
  inferwire_public_headers(inferwire_llama PUBLIC ${INFERWIRE_LLAMA_HEADERS})
endif()
if(TARGET inferwire_testing)
  inferwire_public_headers(inferwire_testing PUBLIC ${INFERWIRE_TESTING_HEADERS})
endif()
