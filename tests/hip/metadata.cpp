#include "hip/metadata.hpp"

#include <elf.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tamis::testing {
namespace {

constexpr unsigned metadata_note = 32;  // NT_AMDGPU_METADATA

template <class T>
T read(std::string_view image, std::size_t offset) {
  if (offset > image.size() || image.size() - offset < sizeof(T)) throw std::runtime_error("code object: cut off");
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

// The description of the AMDGPU metadata note in a segment of notes; empty where it holds none.
std::string_view note_in(std::string_view image, std::size_t begin, std::size_t end) {
  while (begin + sizeof(Elf64_Nhdr) <= end) {
    const auto note = read<Elf64_Nhdr>(image, begin);
    const std::size_t description = begin + sizeof note + padded(note.n_namesz);
    if (note.n_type == metadata_note) return image.substr(description, note.n_descsz);
    begin = description + padded(note.n_descsz);
  }
  return {};
}

std::string_view metadata_note_of(std::string_view image) {
  const auto header = read<Elf64_Ehdr>(image, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_AMDGPU)
    throw std::runtime_error("code object: not an ELF file for AMDGPU");
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = read<Elf64_Phdr>(image, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NOTE) continue;
    const std::string_view note = note_in(image, segment.p_offset, segment.p_offset + segment.p_filesz);
    if (!note.empty()) return note;
  }
  throw std::runtime_error("code object: no metadata");
}

}  // namespace

Metadata metadata_of(std::string_view image) {
  const nlohmann::json json = nlohmann::json::from_msgpack(metadata_note_of(image));
  const std::string target = json.at("amdhsa.target");
  Metadata metadata{target.substr(target.rfind('-') + 1), {}};
  for (const nlohmann::json& kernel : json.at("amdhsa.kernels"))
    metadata.kernels.push_back({.name = kernel.at(".name"),
                                .threads = kernel.at(".max_flat_workgroup_size"),
                                .lanes = kernel.at(".wavefront_size"),
                                .vector_registers = kernel.at(".vgpr_count").get<std::int64_t>(),
                                .scalar_registers = kernel.at(".sgpr_count"),
                                .vector_spills = kernel.at(".vgpr_spill_count"),
                                .scalar_spills = kernel.at(".sgpr_spill_count"),
                                .scratch_bytes = kernel.at(".private_segment_fixed_size"),
                                .shared_bytes = kernel.at(".group_segment_fixed_size"),
                                .argument_bytes = kernel.at(".kernarg_segment_size")});
  return metadata;
}

}  // namespace tamis::testing
