// JSON as text, written front to back. Not by nlohmann-json: its values allocate when they are destroyed, so a lack of
// memory would abort the process, which no call of the C ABI may do (CMemory of tests/api holds this).
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace tamis::detail::json {

inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

struct Field {
  std::string_view name;
  std::string value;  // JSON already
};

// The parts a line each, two spaces deeper than what surrounds them.
inline std::string bracketed(char open, const std::vector<std::string>& parts, char close) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "\n" : ",\n") + part;
  std::string indented;
  for (const char c : result) indented += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return open + indented + (parts.empty() ? "" : "\n") + close;
}

inline std::string object(const std::vector<Field>& fields) {
  std::vector<std::string> parts;
  for (const Field& field : fields) parts.push_back(quoted(field.name) + ": " + field.value);
  return bracketed('{', parts, '}');
}

inline std::string array(const std::vector<std::string>& values) { return bracketed('[', values, ']'); }

}  // namespace tamis::detail::json
