#include "wire/object_fold.hpp"

#include "json/text.hpp"
#include "wire/fold.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::wire {

std::string* ObjectFold::joined(std::string_view name) noexcept {
  const auto found = std::ranges::find(names_, name);
  return found == names_.end() ? nullptr : &texts_[static_cast<std::size_t>(found - names_.begin())];
}

void ObjectFold::add(const Json& piece) {
  for (Member& member : piece.members()) {
    if (member.value.is_null()) continue;
    if (std::string* const whole = joined(member.name); whole != nullptr && member.value.is_string()) {
      *whole += member.value.as_string().value_or("");
      member.value = Json();
    } else if (!has_room(members_, member.name)) {
      continue;
    }
    members_.set(std::move(member.name), std::move(member.value));
  }
}

Json ObjectFold::take() && {
  std::string text = "{";
  for (const Member& member : members_) {
    json::append_name(text, member.name);
    const std::string* const whole = joined(member.name);
    if (whole != nullptr && member.value.is_null()) {
      json::append_string(text, *whole);
    } else {
      text += member.value.text();
    }
  }
  text += '}';
  return Json::raw(std::move(text));
}

}  // namespace inferwire::inline v0_1::wire
