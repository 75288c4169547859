/// \file
/// Combines a JSON schema with those that it includes by allOf and $ref.
#pragma once

#include "engine/constraint/grammar_draft.hpp"

namespace inferwire::inline v0_1::engine {

/// A schema without annotations, allOf and $ref that is equivalent to `schema`, which also has no annotations
/// and is a part of `document`. The result is meaningless after a fault.
Schema put_together(Schema schema, const Schema& document, GrammarDraft& draft);

}  // namespace inferwire::inline v0_1::engine
