/* What glibc has, and musl lacks. */
#include_next <unistd.h>

#if defined _GNU_SOURCE && !defined TEMP_FAILURE_RETRY
#include <errno.h>
#define TEMP_FAILURE_RETRY(expression)                           \
	(__extension__({                                         \
		long __impasse_result;                           \
		do                                               \
			__impasse_result = (long)(expression);   \
		while (__impasse_result == -1 && errno == EINTR); \
		__impasse_result;                                \
	}))
#endif
