/* tamis: exact top-k selection for sparse-attention indexers. The C ABI.
 *
 * The contract, argument by argument, stands in tamis.hpp; every struct and function here does what its namesake
 * there does. Conventions of the ABI:
 *   - A struct begins with `size`, which the caller sets to sizeof the struct (the TAMIS_..._INIT macros do), so that
 *     a library newer or older than the caller knows which fields there are. Fields are only ever added at the end.
 *     A field that the caller's struct lacks has its default; a larger struct than the library knows is accepted when
 *     the unknown rest is zero.
 *   - A function that can fail returns a tamis_code and, where `error` is not null, describes the failure there.
 *     On failure nothing was launched and nothing was written; after TAMIS_BACKEND_ERROR outputs may hold anything.
 *   - No exception leaves the library and no call aborts the process. Null arguments are errors, never crashes;
 *     every `..._free` accepts null.
 *   - Strings are UTF-8, live as long as the object that they came from, and static strings for ever.
 */
#ifndef TAMIS_H
#define TAMIS_H

#include <stddef.h>
#include <stdint.h>

#include "tamis/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status ---------------------------------------------------------------------------------------------- */

typedef int32_t tamis_code;
enum {
  TAMIS_OK = 0,
  TAMIS_INVALID_ARGUMENT = 1,
  TAMIS_WORKSPACE_TOO_SMALL = 2,
  TAMIS_PLAN_MISMATCH = 3,
  TAMIS_NO_DEVICE = 4,
  TAMIS_BACKEND_ERROR = 5,
  TAMIS_OUT_OF_MEMORY = 6 /* of the host, while planning, verifying or making an object */
};

/* Filled on failure: which argument, what it was and what it must be. Always terminated; cut if too long. */
typedef struct tamis_error {
  size_t size;
  tamis_code code;
  char message[500];
} tamis_error;
#define TAMIS_ERROR_INIT {sizeof(tamis_error), TAMIS_OK, {0}}

TAMIS_EXPORT const char* tamis_code_name(tamis_code code);

/* ---- enumerations: values as in tamis.hpp ------------------------------------------------------------------ */

enum { TAMIS_F32 = 0, TAMIS_F16 = 1, TAMIS_BF16 = 2 };                        /* score_type */
enum { TAMIS_I32 = 0, TAMIS_I64 = 1 };                                        /* slot_type */
enum { TAMIS_TIES_LOWEST_INDEX = 0, TAMIS_TIES_ANY = 1 };                     /* ties */
enum { TAMIS_ORDER_ANY = 0, TAMIS_ORDER_BY_INDEX = 1, TAMIS_ORDER_BY_SCORE = 2 }; /* order */
enum { TAMIS_NAN_LOWEST = 0, TAMIS_NAN_HIGHEST = 1 };                         /* nan */
enum { TAMIS_MAP_NONE = 0, TAMIS_MAP_PAGED = 1, TAMIS_MAP_RAGGED = 2 };       /* mapping */
enum { TAMIS_CPU = 0, TAMIS_CUDA = 1, TAMIS_HIP = 2, TAMIS_EMULATED = 3 };    /* backend */
enum {                                                                        /* finding */
  TAMIS_FINDING_NONE = 0,
  TAMIS_FINDING_WRONG_COUNT = 1,
  TAMIS_FINDING_OUT_OF_RANGE = 2,
  TAMIS_FINDING_DUPLICATE = 3,
  TAMIS_FINDING_NOT_BEST = 4,
  TAMIS_FINDING_WRONG_TIE = 5,
  TAMIS_FINDING_WRONG_ORDER = 6,
  TAMIS_FINDING_WRONG_SCORE = 7,
  TAMIS_FINDING_WRONG_SLOT = 8,
  TAMIS_FINDING_WRONG_PADDING = 9
};

/* ---- shape, device, plan ----------------------------------------------------------------------------------- */

typedef struct tamis_shape {
  size_t size;
  int64_t rows;
  int64_t width;
  int64_t k;
  int32_t score_type;
  int32_t next_n;  /* >= 1 */
  int32_t divisor; /* >= 1 */
  int32_t ties;
  int32_t order;
  int32_t nan;
} tamis_shape;
#define TAMIS_SHAPE_INIT {sizeof(tamis_shape), 0, 0, 0, TAMIS_F32, 1, 1, TAMIS_TIES_LOWEST_INDEX, TAMIS_ORDER_ANY, TAMIS_NAN_LOWEST}

typedef struct tamis_merge_shape {
  size_t size;
  int64_t rows;
  int64_t lists;
  int64_t capacity;
  int64_t k;
  int32_t score_type;
  int32_t ties;
  int32_t order;
  int32_t nan;
} tamis_merge_shape;
#define TAMIS_MERGE_SHAPE_INIT {sizeof(tamis_merge_shape), 0, 0, 0, 0, TAMIS_F32, TAMIS_TIES_LOWEST_INDEX, TAMIS_ORDER_ANY, TAMIS_NAN_LOWEST}

typedef struct tamis_device tamis_device; /* opaque value: a device's properties */
typedef struct tamis_plan tamis_plan;     /* opaque, immutable; any number of threads may use one */

/* A device known by name, present or not; "cpu" is one thread. *device is freed with tamis_device_free. */
TAMIS_EXPORT tamis_code tamis_device_known(const char* name, tamis_device** device, tamis_error* error);
/* The names, numbered from 0; outside [0, tamis_device_known_count()) the name is "". */
TAMIS_EXPORT int32_t tamis_device_known_count(void);
TAMIS_EXPORT const char* tamis_device_known_name(int32_t number);
TAMIS_EXPORT tamis_code tamis_device_cpu(int32_t threads, tamis_device** device, tamis_error* error);
/* The GPU kernels on the host. lanes: of a warp, 32 or 64. block: the most threads of a block, 512 to 1024; of the kernels
   with such blocks the plan chooses. */
TAMIS_EXPORT tamis_code tamis_device_emulated(int32_t lanes, int32_t block, tamis_device** device, tamis_error* error);
/* The number of devices of `backend` on this machine: 0 where there is none, never an error. */
TAMIS_EXPORT int32_t tamis_device_count(int32_t backend);
/* Device `ordinal` of `backend` on this machine. */
TAMIS_EXPORT tamis_code tamis_device_present(int32_t backend, int32_t ordinal, tamis_device** device, tamis_error* error);
TAMIS_EXPORT const char* tamis_device_name(const tamis_device* device);
TAMIS_EXPORT void tamis_device_free(tamis_device* device);

/* *plan is freed with tamis_plan_free. A plan does not refer to the device it was made from. */
TAMIS_EXPORT tamis_code tamis_plan_select(const tamis_shape* shape, const tamis_device* device, tamis_plan** plan, tamis_error* error);
TAMIS_EXPORT tamis_code tamis_plan_merge(const tamis_merge_shape* shape, const tamis_device* device, tamis_plan** plan, tamis_error* error);
TAMIS_EXPORT size_t tamis_plan_workspace_bytes(const tamis_plan* plan);
TAMIS_EXPORT const char* tamis_plan_method(const tamis_plan* plan);
TAMIS_EXPORT const char* tamis_plan_text(const tamis_plan* plan);
TAMIS_EXPORT const char* tamis_plan_json(const tamis_plan* plan);
/* 1 when the plans are equal; null equals null alone. */
TAMIS_EXPORT int32_t tamis_plan_equal(const tamis_plan* a, const tamis_plan* b);
TAMIS_EXPORT void tamis_plan_free(tamis_plan* plan);

/* ---- input and output: memory of the plan's device ------------------------------------------------------------ */

typedef struct tamis_rows {
  size_t size;
  const void* scores;     /* [rows, width] */
  int64_t stride;         /* in elements, >= 0 */
  const int32_t* lengths; /* [ceil(rows / next_n)] or null */
  const int32_t* starts;  /* [rows] or null */
} tamis_rows;
#define TAMIS_ROWS_INIT {sizeof(tamis_rows), NULL, 0, NULL, NULL}

typedef struct tamis_lists {
  size_t size;
  const void* scores;       /* [lists, rows, capacity] */
  const int32_t* positions; /* [lists, rows, capacity] */
  const int32_t* counts;    /* [lists, rows] or null */
  int64_t list_stride;      /* in elements; 0: rows * row_stride */
  int64_t row_stride;       /* in elements; 0: capacity */
} tamis_lists;
#define TAMIS_LISTS_INIT {sizeof(tamis_lists), NULL, NULL, NULL, 0, 0}

/* Not led by a size: device memory, fixed for ever. Begin with TAMIS_FAULTS_INIT; select adds to it. */
typedef struct tamis_fault {
  int64_t count;
  int64_t first_row; /* INT64_MAX while count is 0 */
} tamis_fault;
typedef struct tamis_faults {
  tamis_fault length;
  tamis_fault start;
  tamis_fault table_row;
  tamis_fault page;
  tamis_fault slot;
} tamis_faults;
#define TAMIS_FAULTS_INIT {{0, INT64_MAX}, {0, INT64_MAX}, {0, INT64_MAX}, {0, INT64_MAX}, {0, INT64_MAX}}

typedef struct tamis_output {
  size_t size;
  int32_t* indices; /* [rows, k] or null */
  int64_t indices_stride;
  void* slots; /* [rows, k] of slot_type or null */
  int64_t slots_stride;
  void* scores; /* [rows, k] of score_type or null */
  int64_t scores_stride;
  int32_t* counts; /* [rows] or null */
  int32_t slot_type;
  int32_t mapping;
  /* mapping TAMIS_MAP_PAGED */
  const int32_t* page_table; /* [tables, columns] */
  int64_t tables;
  int64_t columns;
  int64_t page_table_stride;
  const int32_t* table_of_row; /* [rows] or null */
  const int32_t* cu_rows;      /* [tables + 1] or null */
  const int32_t* page_start;   /* [rows] or null */
  /* mapping TAMIS_MAP_RAGGED */
  const int32_t* offsets; /* [rows] */
  tamis_faults* faults;   /* or null */
  int32_t page_size;
  int32_t reserved; /* 0 */
} tamis_output;
#define TAMIS_OUTPUT_INIT {sizeof(tamis_output), NULL, 0, NULL, 0, NULL, 0, NULL, TAMIS_I32, TAMIS_MAP_NONE, \
                           NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0}

/* ---- execution ------------------------------------------------------------------------------------------------- */

/* Threads for the CPU backend, passed as `stream`. */
typedef struct tamis_threads tamis_threads;
TAMIS_EXPORT tamis_code tamis_threads_create(int32_t count, tamis_threads** threads, tamis_error* error);
TAMIS_EXPORT void tamis_threads_free(tamis_threads* threads);

/* `stream`: a cudaStream_t, a hipStream_t, or for the CPU a tamis_threads*; null: the default stream, one thread.
   For the emulated backend the seed of a schedule, as (void*)(uintptr_t)seed; null is the plain order. */
TAMIS_EXPORT tamis_code tamis_select(const tamis_plan* plan, const tamis_rows* rows, const tamis_output* output,
                                     void* workspace, size_t workspace_bytes, void* stream, tamis_error* error);
TAMIS_EXPORT tamis_code tamis_merge(const tamis_plan* plan, const tamis_lists* lists, const tamis_output* output,
                                    void* workspace, size_t workspace_bytes, void* stream, tamis_error* error);

/* ---- verify ------------------------------------------------------------------------------------------------------ */

typedef struct tamis_report {
  size_t size;
  int64_t rows;
  int64_t wrong_rows; /* 0: exact */
  int64_t row;        /* the first wrong row, or -1 */
  int64_t entry;
  int64_t position;
  int32_t finding; /* TAMIS_FINDING_... */
  char message[500];
} tamis_report;
#define TAMIS_REPORT_INIT {sizeof(tamis_report), 0, 0, -1, -1, -1, 0, {0}}

/* TAMIS_OK says that the output was judged; whether it is exact stands in the report. */
TAMIS_EXPORT tamis_code tamis_verify(const tamis_shape* shape, const tamis_rows* rows, const tamis_output* output,
                                     tamis_report* report, tamis_error* error);
TAMIS_EXPORT const char* tamis_finding_name(int32_t finding); /* "not_best" */

/* ---- workload: the score patterns of workload.hpp ------------------------------------------------------------------ */

/* Patterns are numbered from 0; outside [0, tamis_pattern_count()) name and sketch are "". */
TAMIS_EXPORT int32_t tamis_pattern_count(void);
TAMIS_EXPORT const char* tamis_pattern_name(int32_t pattern);
TAMIS_EXPORT const char* tamis_pattern_sketch(int32_t pattern);

typedef struct tamis_target {
  size_t size;
  void* scores; /* [rows, width], host memory */
  int64_t rows;
  int64_t width;
  int64_t stride; /* in elements, >= width */
  int32_t score_type;
  int32_t reserved; /* 0 */
} tamis_target;
#define TAMIS_TARGET_INIT {sizeof(tamis_target), NULL, 0, 0, 0, TAMIS_F32, 0}

/* Fills `target` with rows first_row, first_row + 1, ... of the pattern called `pattern`. */
TAMIS_EXPORT tamis_code tamis_generate(const char* pattern, uint64_t seed, const tamis_target* target,
                                       int64_t first_row, tamis_error* error);

/* ---- version ------------------------------------------------------------------------------------------------------ */

#define TAMIS_VERSION_MAJOR 0
#define TAMIS_VERSION_MINOR 1
#define TAMIS_VERSION_PATCH 0

TAMIS_EXPORT const char* tamis_version(void);    /* of the library, "0.1.0" */
TAMIS_EXPORT int32_t tamis_version_number(void); /* major * 10000 + minor * 100 + patch */

#ifdef __cplusplus
}
#endif

#endif
