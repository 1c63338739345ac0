/* As with glibc, _GNU_SOURCE declares the names that end in 64, such as off64_t. */
#if defined _GNU_SOURCE && !defined _LARGEFILE64_SOURCE
#define _LARGEFILE64_SOURCE 1
#endif
#include_next <features.h>
