/* A jump that restores the signal mask needs to have it saved, which is not the machine's business. */
#include_next <setjmp.h>

#ifndef IMPASSE_SETJMP_H
#define IMPASSE_SETJMP_H

#if defined(_POSIX_SOURCE) || defined(_POSIX_C_SOURCE) || defined(_XOPEN_SOURCE) || defined(_GNU_SOURCE) || \
	defined(_BSD_SOURCE)
#ifdef __cplusplus
extern "C"
#endif
void __impasse_save_mask(sigjmp_buf, int);

#define sigsetjmp(buffer, save) (__impasse_save_mask(buffer, save), setjmp(buffer))
#endif

#endif
