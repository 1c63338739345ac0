/* As with glibc, this header's basename is POSIX's, which changes its argument; that of string.h is
   GNU's. */
#ifdef __IMPASSE__
#undef basename
#define basename __xpg_basename
#endif
#include_next <libgen.h>
