/* What libc++ does when a standard stream is first used, done at the start instead: no thread is the
 * first to print. libc++'s iostream.cpp includes this. */
#ifndef IMPASSE_FIRST_USE_H
#define IMPASSE_FIRST_USE_H

#include <locale>
#include <ostream>

namespace {

/* The streams themselves, which that file defines as arrays of bytes. */
extern std::ostream printed __asm__("_ZNSt3__14coutE");
extern std::ostream errors __asm__("_ZNSt3__14cerrE");
extern std::ostream logged __asm__("_ZNSt3__14clogE");
extern std::wostream wide_printed __asm__("_ZNSt3__15wcoutE");
extern std::wostream wide_errors __asm__("_ZNSt3__15wcerrE");
extern std::wostream wide_logged __asm__("_ZNSt3__15wclogE");

struct first_use {
	first_use()
	{
		for (std::ostream *stream : {&printed, &errors, &logged})
			stream->fill();
		for (std::wostream *stream : {&wide_printed, &wide_errors, &wide_logged})
			stream->fill();
		std::__cloc();
	}
};

/* After the streams are made. */
__attribute__((__init_priority__(101))) first_use made_at_the_start;

}

#endif
