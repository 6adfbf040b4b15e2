// The enumerators' names, as the command line, plans and messages spell them, and the version.

#include "tamis/tamis.h"
#include "tamis/tamis.hpp"

#define TAMIS_STRING_(x) #x
#define TAMIS_STRING(x) TAMIS_STRING_(x)

namespace tamis {

std::string_view name(Code code) {
  switch (code) {
    case Code::ok:
      return "ok";
    case Code::invalid_argument:
      return "invalid_argument";
    case Code::workspace_too_small:
      return "workspace_too_small";
    case Code::plan_mismatch:
      return "plan_mismatch";
    case Code::no_device:
      return "no_device";
    case Code::backend_error:
      return "backend_error";
    case Code::out_of_memory:
      return "out_of_memory";
  }
  return "unknown";
}

std::string_view name(ScoreType type) {
  switch (type) {
    case ScoreType::f32:
      return "f32";
    case ScoreType::f16:
      return "f16";
    case ScoreType::bf16:
      return "bf16";
  }
  return "unknown";
}

std::string_view name(SlotType type) {
  switch (type) {
    case SlotType::i32:
      return "i32";
    case SlotType::i64:
      return "i64";
  }
  return "unknown";
}

std::string_view name(Ties ties) {
  switch (ties) {
    case Ties::lowest_index:
      return "lowest_index";
    case Ties::any:
      return "any";
  }
  return "unknown";
}

std::string_view name(Order order) {
  switch (order) {
    case Order::any:
      return "any";
    case Order::by_index:
      return "by_index";
    case Order::by_score:
      return "by_score";
  }
  return "unknown";
}

std::string_view name(Nan nan) {
  switch (nan) {
    case Nan::lowest:
      return "lowest";
    case Nan::highest:
      return "highest";
  }
  return "unknown";
}

std::string_view name(Backend backend) {
  switch (backend) {
    case Backend::cpu:
      return "cpu";
    case Backend::cuda:
      return "cuda";
    case Backend::hip:
      return "hip";
    case Backend::emulated:
      return "emulated";
  }
  return "unknown";
}

std::string_view name(Finding finding) {
  switch (finding) {
    case Finding::none:
      return "none";
    case Finding::wrong_count:
      return "wrong_count";
    case Finding::out_of_range:
      return "out_of_range";
    case Finding::duplicate:
      return "duplicate";
    case Finding::not_best:
      return "not_best";
    case Finding::wrong_tie:
      return "wrong_tie";
    case Finding::wrong_order:
      return "wrong_order";
    case Finding::wrong_score:
      return "wrong_score";
    case Finding::wrong_slot:
      return "wrong_slot";
    case Finding::wrong_padding:
      return "wrong_padding";
  }
  return "unknown";
}

std::size_t score_bytes(ScoreType type) { return type == ScoreType::f32 ? 4 : 2; }

std::string_view version() {
  return TAMIS_STRING(TAMIS_VERSION_MAJOR) "." TAMIS_STRING(TAMIS_VERSION_MINOR) "." TAMIS_STRING(TAMIS_VERSION_PATCH);
}

}  // namespace tamis
