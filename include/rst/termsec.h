/* The names that "Local Nontermination Detection for Parallel C++ Programs" (Still and Barnat, 2019)
 * gives to the sections of impasse/section.h, so that programs written for them can be checked as
 * they are. */
#ifndef IMPASSE_RST_TERMSEC_H
#define IMPASSE_RST_TERMSEC_H

#include <impasse/section.h>

static inline void termsec_begin_exclusive(const volatile void *address)
{
	impasse_section_begin(address);
}

static inline void termsec_end_exclusive(const volatile void *address)
{
	impasse_section_end(address);
}

#ifdef __cplusplus
namespace termsec {
using CheckWait = ::impasse::wait;
}
#endif

#endif
