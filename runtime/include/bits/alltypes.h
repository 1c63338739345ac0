/* A thread's id is a number, as with glibc: programs print it and compute with it. To musl it is a
   pointer. */
#if defined __IMPASSE__ && !defined __cplusplus && defined __NEED_pthread_t && !defined __DEFINED_pthread_t
typedef unsigned long pthread_t;
#define __DEFINED_pthread_t
#endif
#include_next <bits/alltypes.h>
