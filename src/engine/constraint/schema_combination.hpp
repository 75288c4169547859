/// \file
/// A JSON schema and all that it is besides, by allOf and $ref, as one.
#pragma once

#include "engine/constraint/grammar_draft.hpp"

namespace inferwire::inline v0_1::engine {

/// A schema without annotations, allOf and $ref that asks for the same as `schema`, which has no annotations
/// either and is a part of `document`. Of no use after a fault.
Schema put_together(Schema schema, const Schema& document, GrammarDraft& draft);

}  // namespace inferwire::inline v0_1::engine
