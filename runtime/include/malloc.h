/* What glibc has, and musl lacks: see gnu.c. */
#include_next <malloc.h>

#ifndef IMPASSE_MALLOC_H
#define IMPASSE_MALLOC_H

#include <stddef.h>
#include <stdio.h>

#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#define M_PERTURB (-6)
#define M_ARENA_TEST (-7)
#define M_ARENA_MAX (-8)

#ifdef __cplusplus
extern "C" {
#endif

int mallopt(int, int);
int malloc_trim(size_t);

#ifdef __cplusplus
}
#endif

#endif
