/* What glibc has, and musl lacks. */
#include_next <langinfo.h>

#if defined _GNU_SOURCE && !defined _NL_TIME_CODESET
#define _NL_TIME_CODESET CODESET
#endif
