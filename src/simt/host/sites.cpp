// A fixed table: it is filled by GPU threads, which allocate nothing.
#include "simt/host/sites.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <string_view>

#include "simt/host/emulator.hpp"

namespace tamis::simt::host {
namespace {

struct Site {
  const char* word;
  Location where;
};

constexpr std::size_t capacity = 4096;
std::array<Site, capacity> sites;
std::atomic<std::size_t> site_count = 0;
std::mutex site_lock;
thread_local const void* last_noted = nullptr;

std::atomic<bool> skipping = false;
BarrierSite skipped_site;

bool same(const Site& site, const Location& where) {
  return site.where.line() == where.line() && site.where.column() == where.column() &&
         std::string_view(site.where.file_name()) == where.file_name();
}

// A site's line in a template is one site, however often it is instantiated.
void note(const char* word, const Location& where) {
  const std::lock_guard lock(site_lock);
  const std::size_t count = site_count;
  for (std::size_t i = 0; i < count; ++i) {
    if (same(sites[i], where)) return;
  }
  if (count == capacity) return;
  sites[count] = {word, where};
  site_count = count + 1;
}

}  // namespace

bool skipped(const char* word, const Location& where) {
  if (last_noted != where.file_name() + where.line()) {
    last_noted = where.file_name() + where.line();
    note(word, where);
  }
  return skipping && skipped_site.line == where.line() && skipped_site.column == where.column() &&
         std::string_view(where.file_name()).ends_with(skipped_site.file);
}

std::vector<BarrierSite> barrier_sites() {
  std::vector<BarrierSite> result;
  const std::lock_guard lock(site_lock);
  for (std::size_t i = 0; i < site_count; ++i) {
    const Site& site = sites[i];
    result.push_back({site.word, site.where.file_name(), site.where.line(), site.where.column()});
  }
  return result;
}

void skip_barrier(const BarrierSite* site) {
  skipping = site != nullptr;
  if (site) skipped_site = *site;
}

}  // namespace tamis::simt::host
