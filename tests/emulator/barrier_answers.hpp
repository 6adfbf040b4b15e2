// What the processes of tamis_barrier_mutants have said, by what they were asked: kept in a file, a line each, so that
// a run may be cut short and continued, and runs on several machines joined by joining their files.
#pragma once

#include <fstream>
#include <map>
#include <mutex>
#include <string>

namespace tamis::testing {

class Answers {
 public:
  // No file is read or written where `path` is empty.
  explicit Answers(const std::string& path) {
    if (path.empty()) return;
    std::ifstream before(path);
    for (std::string line; std::getline(before, line);)
      if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
        known_[line.substr(0, tab)] = unfolded(line.substr(tab + 1));
    file_.open(path, std::ios::app);
  }

  // The answer to `question`: the one that is kept, or else what `ask` says, which is kept then.
  template <class Ask>
  std::string of(const std::string& question, Ask ask) {
    {
      const std::lock_guard lock(lock_);
      if (const auto found = known_.find(question); found != known_.end()) return found->second;
    }
    const std::string answer = ask();
    const std::lock_guard lock(lock_);
    known_[question] = answer;
    if (file_.is_open()) file_ << question + '\t' + folded(answer) + '\n' << std::flush;
    return answer;
  }

 private:
  static constexpr char line_end = '|';  // in no answer: a site is a word, a file and numbers

  static std::string replaced(std::string text, char from, char to) {
    for (char& c : text)
      if (c == from) c = to;
    return text;
  }
  static std::string folded(const std::string& answer) { return replaced(answer, '\n', line_end); }
  static std::string unfolded(const std::string& line) { return replaced(line, line_end, '\n'); }

  std::mutex lock_;
  std::map<std::string, std::string> known_;
  std::ofstream file_;
};

}  // namespace tamis::testing
