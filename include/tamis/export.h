/* Symbol visibility of the public API. */
#ifndef TAMIS_EXPORT_H
#define TAMIS_EXPORT_H

#if defined(__GNUC__)
#define TAMIS_EXPORT __attribute__((visibility("default")))
#else
#define TAMIS_EXPORT
#endif

#endif
