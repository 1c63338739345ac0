/* There is one process: what would make another says so. */
#include <sched.h>
#include <unistd.h>
#include "impasse_machine.h"

_Noreturn static void no_process(void)
{
	__impasse_unsupported("a second process (fork)");
}

pid_t fork(void) { no_process(); }
pid_t vfork(void) { no_process(); }
pid_t _Fork(void) { no_process(); }

/* musl's posix_spawn, system and popen come here. */
int __clone(int (*start)(void *), void *stack, int flags, void *argument, ...)
{
	(void)start, (void)stack, (void)flags, (void)argument;
	__impasse_unsupported("starting another program (posix_spawn, system, popen)");
}

int clone(int (*start)(void *), void *stack, int flags, void *argument, ...) __attribute__((__alias__("__clone")));
