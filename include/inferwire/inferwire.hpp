/// \file
/// Everything that a client program needs. The engine, the server and the test tools have headers of their
/// own.
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/dictionary.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/error.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/json.hpp"
#include "inferwire/models.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/stream_options.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"
#include "inferwire/usage.hpp"
#include "inferwire/version.hpp"
