/* With glibc's type of __assert_fail, which programs declare themselves. */
#if defined __IMPASSE__ && !defined __cplusplus
#define __assert_fail __impasse_musl_assert_fail
#include_next <assert.h>
#undef __assert_fail
_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);
#else
#include_next <assert.h>
#endif
