// See device_option.hpp.

#include "device_option.hpp"

#include "options.hpp"

namespace tamis::cli {

CLI::Option* add_device(CLI::App& app, Device& device, const std::string& help) {
  const auto set = [&device](const std::string& text) {
    std::vector<std::string> names;
    for (const Device& known : known_devices()) {
      if (known.name == text) return void(device = known);
      names.push_back(known.name);
    }
    throw_not_one_of("--device", text, names);
  };
  return app.add_option_function<std::string>("--device", set, help)->type_name("NAME");
}

}  // namespace tamis::cli
