// Every wrong value inside the structs of the C ABI gives its code and a message that names it, and nothing is written.

#include <climits>

#include "c_fixture.hpp"

namespace tamis::test {
namespace {

struct ShapeCase {
  const char* names;
  void (*spoil)(tamis_shape&);

  friend void PrintTo(const ShapeCase& value, std::ostream* out) { *out << value.names; }
};

class CShape : public CApi, public testing::WithParamInterface<ShapeCase> {};

TEST_P(CShape, WithAWrongValueIsRefused) {
  GetParam().spoil(shape);
  tamis_plan* made = nullptr;
  expect_refused(tamis_plan_select(&shape, device, &made, &error), TAMIS_INVALID_ARGUMENT, GetParam().names);
  EXPECT_EQ(made, nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Values, CShape,
    testing::Values(ShapeCase{"rows is -1", [](tamis_shape& s) { s.rows = -1; }},
                    ShapeCase{"rows is 2147483648", [](tamis_shape& s) { s.rows = std::int64_t{1} << 31; }},
                    ShapeCase{"width is -1", [](tamis_shape& s) { s.width = -1; }},
                    ShapeCase{"width is 2147483648", [](tamis_shape& s) { s.width = std::int64_t{1} << 31; }},
                    ShapeCase{"k is 0", [](tamis_shape& s) { s.k = 0; }},
                    ShapeCase{"k is -9223372036854775808", [](tamis_shape& s) { s.k = INT64_MIN; }},
                    ShapeCase{"next_n is 0", [](tamis_shape& s) { s.next_n = 0; }},
                    ShapeCase{"divisor is -3", [](tamis_shape& s) { s.divisor = -3; }},
                    ShapeCase{"score type is 3", [](tamis_shape& s) { s.score_type = 3; }},
                    ShapeCase{"ties is -1", [](tamis_shape& s) { s.ties = -1; }},
                    ShapeCase{"order is 3", [](tamis_shape& s) { s.order = 3; }},
                    ShapeCase{"nan is 2147483647", [](tamis_shape& s) { s.nan = INT_MAX; }}));

struct SelectCase {
  const char* names;
  void (*spoil)(tamis_rows&, tamis_output&);

  friend void PrintTo(const SelectCase& value, std::ostream* out) { *out << value.names; }
};

const std::int32_t one_entry = 0;

void* odd(void* pointer) { return static_cast<char*>(pointer) + 1; }

void make_paged(tamis_output& o) {
  o.mapping = TAMIS_MAP_PAGED;
  o.page_table = &one_entry;
  o.tables = o.columns = o.page_table_stride = 1;
  o.page_size = 64;
}

class CSelect : public CApi, public testing::WithParamInterface<SelectCase> {};

TEST_P(CSelect, WithAWrongValueIsRefused) {
  GetParam().spoil(rows, output);
  expect_refused(select(), TAMIS_INVALID_ARGUMENT, GetParam().names);
}

using R = tamis_rows;
using O = tamis_output;

INSTANTIATE_TEST_SUITE_P(
    Rows, CSelect,
    testing::Values(
        SelectCase{"scores is null", [](R& r, O&) { r.scores = nullptr; }},
        SelectCase{"scores is at address", [](R& r, O&) { r.scores = odd(const_cast<void*>(r.scores)); }},
        SelectCase{"stride is -8", [](R& r, O&) { r.stride = -8; }},
        SelectCase{"stride is 9223372036854775807", [](R& r, O&) { r.stride = INT64_MAX; }},
        SelectCase{"lengths is at address", [](R& r, O&) { r.lengths = reinterpret_cast<std::int32_t*>(2); }},
        SelectCase{"starts is at address", [](R& r, O&) { r.starts = reinterpret_cast<std::int32_t*>(3); }}));

INSTANTIATE_TEST_SUITE_P(
    Outputs, CSelect,
    testing::Values(
        SelectCase{"at least one output", [](R&, O& o) { o.indices = o.counts = nullptr, o.slots = nullptr; }},
        SelectCase{"output.reserved is 1", [](R&, O& o) { o.reserved = 1; }},
        SelectCase{"slot type is 2", [](R&, O& o) { o.slot_type = 2; }},
        SelectCase{"mapping is 3", [](R&, O& o) { o.mapping = 3; }},
        SelectCase{"offsets is null", [](R&, O& o) { o.mapping = TAMIS_MAP_RAGGED; }},
        SelectCase{"indices' stride is 2", [](R&, O& o) { o.indices_stride = 2; }},
        SelectCase{"slots' stride is -1", [](R&, O& o) { o.slots_stride = -1; }},
        SelectCase{"output scores' stride is 1", [](R&, O& o) { o.scores_stride = 1; }},
        SelectCase{"slots is at address", [](R&, O& o) { o.slots = odd(o.slots); }},
        SelectCase{"faults is at address", [](R&, O& o) { o.faults = reinterpret_cast<tamis_faults*>(4); }}));

INSTANTIATE_TEST_SUITE_P(
    Tables, CSelect,
    testing::Values(
        SelectCase{"page_size is 0", [](R&, O& o) { make_paged(o), o.page_size = 0; }},
        SelectCase{"tables is -1", [](R&, O& o) { make_paged(o), o.tables = -1; }},
        SelectCase{"columns is 4294967296", [](R&, O& o) { make_paged(o), o.columns = std::int64_t{1} << 32; }},
        SelectCase{"entries is null", [](R&, O& o) { make_paged(o), o.page_table = nullptr; }},
        SelectCase{"page table's stride is -1", [](R&, O& o) { make_paged(o), o.page_table_stride = -1; }},
        SelectCase{"both given", [](R&, O& o) { make_paged(o), o.table_of_row = o.cu_rows = &one_entry; }}));

}  // namespace
}  // namespace tamis::test
