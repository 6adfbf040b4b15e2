// .npy files: round trips, every malformed header and file, and writes that leave nothing behind.

#include "npy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "error.hpp"
#include "golden.hpp"
#include "pending_files.hpp"

namespace tamis::npy {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string version1(const std::string& dictionary) {
  const std::size_t size = dictionary.size();
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(size & 255) + static_cast<char>(size >> 8) +
         dictionary;
}

std::string with_shape(const std::string& shape) {
  return version1("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }");
}

// What the parser makes of `file`, in a line.
std::string outcome(std::string_view file) {
  const Result<Header> header = parse_header(bytes(file));
  if (!header.ok()) return header.status.message;
  return fmt::format("{} {}, elements from byte {}", descr(header.value.element), text(header.value.shape),
                     header.value.data_offset);
}

// A folder that is removed with all it holds.
class Npy : public ::testing::Test {
 protected:
  ~Npy() override { std::filesystem::remove_all(folder_); }

  File at(const std::string& name) const { return {"--file", (folder_ / name).string()}; }

  File holding(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return at(name);
  }

  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

  // The error that `action` ends with, without the folder's name.
  template <class Action>
  std::string error(Action action) const {
    try {
      action();
    } catch (const cli::Error& caught) {
      std::string message = caught.what();
      const std::size_t found = message.find(folder_.string() + "/");
      if (found != std::string::npos) message.erase(found, folder_.string().size() + 1);
      return fmt::format("exit {}: {}", static_cast<int>(caught.exit), message);
    }
    return "no error";
  }

  std::filesystem::path folder_ = golden::make_folder();
};

void write_numbers(const File& file, const std::vector<std::int32_t>& numbers) {
  ArrayWriter writer(file, Element::i32, {static_cast<std::int64_t>(numbers.size())});
  writer.write(std::as_bytes(std::span(numbers)));
  writer.commit();
}

TEST(NpyHeader, EveryElementTypeAndShapeComesBackAsItWasWritten) {
  for (const Element element : {Element::f32, Element::f16, Element::u16, Element::i32, Element::i64})
    for (const Dimensions& shape : {Dimensions{}, {0}, {7}, {3, 4}, {2, 0, 5}, {1, INT64_MAX / 8}}) {
      const std::string header = make_header(element, shape);
      EXPECT_EQ(0u, header.size() % 64);
      EXPECT_EQ(fmt::format("{} {}, elements from byte {}", descr(element), text(shape), header.size()),
                outcome(header));
    }
}

TEST(NpyHeader, WhatOthersWriteIsUnderstood) {
  const std::string dictionary = "{\"shape\":(3,4),'fortran_order' : False ,'descr':'=f2'}";
  EXPECT_EQ(fmt::format("<f2 (3, 4), elements from byte {}", 10 + dictionary.size()), outcome(version1(dictionary)));
  EXPECT_EQ("<f4 (3, 4), elements from byte 71", outcome(with_shape("(3L, 4L)")));
  std::string version2 = with_shape("(5,)");
  version2[6] = 2;
  version2.insert(10, 2, '\0');
  EXPECT_EQ("<f4 (5,), elements from byte 69", outcome(version2));
  version2[6] = 3;
  EXPECT_EQ("<f4 (5,), elements from byte 69", outcome(version2));
}

TEST(NpyHeader, EveryMalformedHeaderIsAnErrorInWords) {
  std::string long_shape = "(";
  for (int i = 0; i < 33; ++i) long_shape += "1, ";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"empty", ""},
      {"text", "1.0, 2.0"},
      {"magic alone", "\x93NUMPY"},
      {"version 4", std::string("\x93NUMPY\x04\x00\x00\x00", 10)},
      {"version 1.1", std::string("\x93NUMPY\x01\x01\x00\x00", 10)},
      {"cut in its length", std::string("\x93NUMPY\x02\x00\x00\x00", 10)},
      {"length past the end", std::string("\x93NUMPY\x01\x00\xff\x00{", 11)},
      {"length of 4 GiB", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13)},
      {"no text", version1("")},
      {"not a dictionary", version1("[1, 2]")},
      {"not closed", version1("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)")},
      {"more after it", version1("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x")},
      {"a key missing", version1("{'descr': '<f4', 'shape': (1,)}")},
      {"a key twice", version1("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}")},
      {"a key unknown", version1("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'strides\x01': 4}")},
      {"a string not closed", version1("{'descr")},
      {"Fortran order", version1("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }")},
      {"order 1", version1("{'descr': '<f4', 'fortran_order': 1, 'shape': (3, 4), }")},
      {"big-endian", version1("{'descr': '>f4', 'fortran_order': False, 'shape': (3, 4), }")},
      {"doubles", version1("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }")},
      {"objects", version1("{'descr': '|O', 'fortran_order': False, 'shape': (3, 4), }")},
      {"a structure", version1("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3, 4), }")},
      {"no type", version1("{'descr': '', 'fortran_order': False, 'shape': (3, 4), }")},
      {"shape of floats", with_shape("(3.0,)")},
      {"shape of a word", with_shape("(x,)")},
      {"shape without comma", with_shape("(3)")},
      {"shape a number", with_shape("3")},
      {"shape not closed", with_shape("(3,")},
      {"negative shape", with_shape("(3, -4)")},
      {"2^63", with_shape("(9223372036854775808,)")},
      {"product past 2^63", with_shape("(4294967296, 4294967296)")},
      {"product past 2^63 beside 0", with_shape("(0, 4294967296, 4294967296)")},
      {"33 dimensions", with_shape(long_shape + ")")},
  };
  std::string outcomes;
  for (const auto& [name, file] : cases) {
    EXPECT_FALSE(parse_header(bytes(file)).ok()) << name;
    outcomes += fmt::format("{}: {}\n", name, outcome(file));
  }
  golden::expect_golden("npy_headers.txt", outcomes);
}

TEST(NpyHeader, EveryCutOfAGoodHeaderIsAnError) {
  const std::string header = make_header(Element::f32, {3, 4});
  for (std::size_t size = 0; size < header.size(); ++size)
    EXPECT_FALSE(parse_header(bytes(std::string_view(header).substr(0, size))).ok()) << size;
}

TEST_F(Npy, AnArrayComesBackAsItWasWritten) {
  const std::vector<std::int32_t> numbers{3, -1, 4, 1, -5};
  write_numbers(at("a.npy"), numbers);
  const MappedArray array(at("a.npy"));
  EXPECT_EQ(Element::i32, array.element());
  EXPECT_EQ(Dimensions{5}, array.shape());
  EXPECT_EQ(0, std::memcmp(array.data(), numbers.data(), 20));
  EXPECT_EQ(1, entries());
}

TEST_F(Npy, AFileOfAnotherLengthThanItsShapeIsAnError) {
  const std::string header = make_header(Element::f32, {2});
  const auto opened = [&](const File& file) { return error([&] { MappedArray array(file); }); };
  EXPECT_EQ("exit 2: --file is 'short.npy'; it is 135 bytes long; it must be 136 for <f4 of shape (2,)",
            opened(holding("short.npy", header + "1234567")));
  EXPECT_EQ("exit 2: --file is 'long.npy'; it is 137 bytes long; it must be 136 for <f4 of shape (2,)",
            opened(holding("long.npy", header + "123456789")));
  EXPECT_EQ("no error", opened(holding("right.npy", header + "12345678")));
  EXPECT_EQ(
      "exit 2: --file is 'huge.npy'; it is 128 bytes long; it must be 4000000000000128 for <f4 of shape "
      "(1000000000000000,)",
      opened(holding("huge.npy", make_header(Element::f32, {1000000000000000}))));
}

TEST_F(Npy, ElementsThatAreNotAlignedAreAnError) {
  const std::string header = version1("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}");
  EXPECT_EQ("exit 2: --file is 'odd.npy'; its elements begin at byte 65; they must be aligned to their 4 bytes",
            error([&] { MappedArray array(holding("odd.npy", header + "12345678")); }));
}

TEST_F(Npy, WhatCannotBeMappedIsAnError) {
  const auto opened = [&](const File& file) { return error([&] { MappedArray array(file); }); };
  EXPECT_EQ("exit 2: --file is 'absent.npy'; No such file or directory", opened(at("absent.npy")));
  EXPECT_EQ("exit 2: --file is '/dev/null'; it must be a regular file", opened({"--file", "/dev/null"}));
  EXPECT_EQ("exit 2: --file is '/'; it must be a regular file", opened({"--file", "/"}));
  EXPECT_EQ("exit 2: --file is 'empty.npy'; it is empty; it must be a .npy file", opened(holding("empty.npy", "")));
  ASSERT_EQ(0, ::mkfifo(at("pipe").path.c_str(), 0600));
  EXPECT_EQ("exit 2: --file is 'pipe'; it must be a regular file", opened(at("pipe")));
}

TEST_F(Npy, AWriteThatIsGivenUpLeavesTheOldFileAndNothingElse) {
  write_numbers(at("a.npy"), {1, 2, 3});
  {
    ArrayWriter writer(at("a.npy"), Element::i32, {4});
    EXPECT_EQ(2, entries());
  }
  EXPECT_EQ(1, entries());
  EXPECT_EQ(Dimensions{3}, MappedArray(at("a.npy")).shape());
}

TEST_F(Npy, AWriteThatASignalEndsLeavesNothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const ::pid_t child = ::fork();
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      cli::install_signal_handlers();
      ArrayWriter writer(at("a.npy"), Element::i32, {4});
      if (entries() == 1) ::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(child, ::waitpid(child, &status, 0));
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    EXPECT_EQ(0, entries());
  }
}

TEST_F(Npy, ASignalThatTheCallerIgnoresStaysIgnored) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGHUP, SIG_IGN);
    cli::install_signal_handlers();
    ::raise(SIGHUP);
    ::_exit(7);
  }
  int status = 0;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

TEST_F(Npy, AFileThatShrinksWhileItIsReadEndsTheCommandWithoutACrash) {
  const std::string elements(1 << 20, '\0');
  const File file = holding("a.npy", make_header(Element::i32, {1 << 18}) + elements);
  const ::pid_t child = ::fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);
    cli::install_signal_handlers();
    const MappedArray array(file);
    std::filesystem::resize_file(file.path, 100);
    const volatile char last = static_cast<const char*>(array.data())[elements.size() - 1];
    ::_exit(last);
  }
  int status = 0;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(3, WEXITSTATUS(status));
}

TEST_F(Npy, AnOutputThatCannotBeIsAnErrorAndLeavesNothing) {
  const auto opened = [&](const std::string& path) {
    return error([&] { ArrayWriter writer({"-o", path}, Element::i32, {4}); });
  };
  EXPECT_EQ("exit 2: -o is 'absent/a.npy'; No such file or directory", opened(at("absent/a.npy").path));
  EXPECT_EQ("exit 2: -o is '/dev/null'; something else than a regular file stands there; it must be the path of a file",
            opened("/dev/null"));
  EXPECT_EQ("exit 2: -o is ''; it must be the path of a file", opened(""));
  EXPECT_EQ(0, entries());
}

TEST_F(Npy, ASymbolicLinkStaysALinkAndItsTargetIsWritten) {
  write_numbers(at("real.npy"), {1});
  std::filesystem::create_symlink("real.npy", at("link.npy").path);
  write_numbers(at("link.npy"), {1, 2});
  EXPECT_TRUE(std::filesystem::is_symlink(at("link.npy").path));
  EXPECT_EQ(Dimensions{2}, MappedArray(at("real.npy")).shape());
}

TEST_F(Npy, AnOutputIsNeitherAnInputNorAnotherOutput) {
  const File input{"--scores", holding("s.npy", "").path};
  const File same{"--out-scores", (folder_ / "." / "s.npy").string()};
  const File first{"--out-indices", at("o.npy").path}, second{"--out-slots", (folder_ / "." / "o.npy").string()};
  EXPECT_EQ("exit 2: --out-scores is './s.npy'; that is the input --scores; it must be another file",
            error([&] { require_distinct({{input}}, {{same}}); }));
  EXPECT_EQ("exit 2: --out-slots is './o.npy'; that is --out-indices too; it must be another file", error([&] {
              require_distinct({}, std::vector{first, second});
            }));
  EXPECT_EQ("no error", error([&] { require_distinct({{input}}, {{first}}); }));
}

}  // namespace
}  // namespace tamis::npy
