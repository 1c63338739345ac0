/* The beginning and the end of the process, and musl's structure for each thread. */
#include "pthread_impl.h"
#include "stdio_impl.h"
#include <elf.h>
#include "libc.h"
#include "impasse_machine.h"
#include "kernel.h"
#include "thread_end.h"

/* What the kernel says to a process. */
static size_t auxiliary[] = {AT_PAGESZ, 4096, AT_CLKTCK, 100, AT_UID, IMPASSE_USER_ID, AT_EUID, IMPASSE_USER_ID,
                             AT_GID, IMPASSE_USER_ID, AT_EGID, IMPASSE_USER_ID, AT_SECURE, 0, AT_NULL, 0};

/* musl's description of itself. Files lock from the start, so that nothing changes with the first thread. */
struct __libc __libc = {.can_do_threads = 1, .threaded = 1, .need_locks = 1, .auxv = auxiliary, .page_size = 4096};
size_t __hwcap;
char *__progname = "", *__progname_full = "";
weak_alias(__progname, program_invocation_short_name);
weak_alias(__progname_full, program_invocation_name);

_Thread_local struct __pthread __impasse_thread = {.locale = &__libc.global_locale};

void *const __dso_handle = 0;

extern char **__environ;
int main(int, char **, char **);

/* Defined if the program uses the stream. */
extern FILE *volatile __stdin_used __attribute__((__weak__));
extern FILE *volatile __stdout_used __attribute__((__weak__));
extern FILE *volatile __stderr_used __attribute__((__weak__));

static void use_lock(FILE *volatile *used)
{
	if (used && *used)
		(*used)->lock = 0;
}

static void name_program(char *path)
{
	if (!path)
		return;
	__progname = __progname_full = path;
	for (char *p = path; *p; p++)
		if (*p == '/')
			__progname = p + 1;
}

/* The bytes of arguments of unknown content are inputs. */
static void read_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *unknown = __impasse_unknown_argument(i);
		if (!unknown)
			continue;
		argv[i] = unknown;
		for (char *p = unknown; *p; p++)
			*p = (char)__impasse_unknown_byte(i);
	}
}

void __impasse_start(int argc, char **argv, char **envp)
{
	__environ = envp;
	name_program(argv[0]);
	read_arguments(argc, argv);
	use_lock(&__stdin_used);
	use_lock(&__stdout_used);
	use_lock(&__stderr_used);
	__impasse_run_constructors(argc, argv, envp);
	int status = main(argc, argv, envp);
	if (__impasse_main_waits())
		pthread_exit(0);
	exit(status);
}

/* Defined if the program registers functions, or uses streams. */
void __funcs_on_exit(void) __attribute__((__weak__));
void __stdio_exit(void) __attribute__((__weak__));

/* One thread ends the process (POSIX.1-2024, exit); others that call exit meanwhile wait for that. */
static void begin_to_end(void)
{
	static int ending, never;
	__impasse_atomic_begin();
	int self = __impasse_thread_id(), first = ending ? ending : self;
	ending = first;
	__impasse_atomic_end();
	while (first != self)
		__impasse_block_while_equal(&never, 0, 0, 0);
}

_Noreturn void exit(int status)
{
	begin_to_end();
	__impasse_run_thread_local_destructors();
	if (__funcs_on_exit)
		__funcs_on_exit();
	__impasse_run_destructors();
	if (__stdio_exit)
		__stdio_exit();
	_Exit(status);
}
