/* The builtins of the machine for one thread on real hardware.
 *
 * Linked with library bitcode compiled to native code, it shows that the runtime works, apart
 * from the machine. Choices are their first alternative; whatever would block ends the process. */
#include <elf.h>
#include "impasse_machine.h"

typedef unsigned long size_t;

static long system_call(long n, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

enum { WRITE = 1, ARCH_PRCTL = 158, EXIT_GROUP = 231, SET_FS = 0x1002 };

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	if ((size_t)to - (size_t)from >= n)
		return memcpy(to, from, n);
	while (n--)
		((char *)to)[n] = ((const char *)from)[n];
	return to;
}

void *memset(void *to, int c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)c;
	return to;
}

/* Memory is given out once; its size stands before it. */
static char arena[64 << 20] __attribute__((aligned(4096)));
static size_t used;

void *aligned_alloc(size_t align, size_t n)
{
	if (align < 16)
		align = 16;
	size_t at = (used + 16 + align - 1) / align * align;
	if (at + n > sizeof arena)
		return 0;
	used = at + n;
	memset(arena + at, 0xa5, n);
	*(size_t *)(arena + at - 8) = n;
	return arena + at;
}

void *memalign(size_t align, size_t n)
{
	return aligned_alloc(align, n);
}

void *malloc(size_t n)
{
	return aligned_alloc(16, n);
}

void *calloc(size_t n, size_t m)
{
	void *p = malloc(n * m);
	return p ? memset(p, 0, n * m) : 0;
}

void free(void *p)
{
	if (p)
		memset(p, 0x5a, ((size_t *)p)[-1]);
}

void *realloc(void *p, size_t n)
{
	void *q = malloc(n);
	if (p && q) {
		size_t before = ((size_t *)p)[-1];
		memcpy(q, p, before < n ? before : n);
		free(p);
	}
	return q;
}

void *__libc_malloc(size_t n) { return malloc(n); }
void *__libc_calloc(size_t n, size_t m) { return calloc(n, m); }
void __libc_free(void *p) { free(p); }

void *__impasse_map(unsigned long n)
{
	void *p = aligned_alloc(4096, n);
	return p ? memset(p, 0, n) : 0;
}
int __impasse_unmap(void *start, unsigned long n) { (void)n; free(start); return 0; }
void __impasse_check_size(const void *object, unsigned long n) { (void)object, (void)n; }
void __impasse_fence_everywhere(void) {}

_Noreturn void __impasse_exit(int status)
{
	for (;;)
		system_call(EXIT_GROUP, status, 0, 0);
}

static _Noreturn void stop(const char *what, int status)
{
	size_t n = 0;
	while (what[n])
		n++;
	system_call(WRITE, 2, (long)what, (long)n);
	system_call(WRITE, 2, (long)"\n", 1);
	__impasse_exit(status);
}

_Noreturn void __impasse_abort(int signal) { (void)signal; stop("abort", 101); }
_Noreturn void __impasse_failed(const char *what) { stop(what, 102); }
_Noreturn void __impasse_unsupported(const char *what) { stop(what, 103); }

_Noreturn void __assert_fail(const char *expression, const char *file, int line, const char *function)
{
	(void)file, (void)line, (void)function;
	stop(expression, 104);
}

int __impasse_thread_id(void) { return 1; }
int __impasse_cancel_requested(void) { return 0; }

static int depth;

void __impasse_atomic_begin(void)
{
	depth++;
}

void __impasse_atomic_end(void)
{
	if (--depth < 0)
		stop("an atomic section ends that did not begin", 105);
}

void __impasse_atomic_load_begin(const volatile void *object, unsigned long n)
{
	(void)object, (void)n;
	depth++;
}

void __impasse_atomic_update_begin(volatile void *object, unsigned long n)
{
	__impasse_atomic_load_begin(object, n);
}

void __impasse_atomic_access_end(void)
{
	depth--;
}

void __impasse_fence_before_load(const volatile int *address)
{
	(void)address;
}

void __impasse_lock(volatile int *lock, int owner)
{
	if (*lock || depth)
		stop("a lock that blocks", 105);
	*lock = owner;
}

void __impasse_unlock(volatile int *lock)
{
	*lock = 0;
}

int __impasse_lock_both(void *first, void *second)
{
	(void)first;
	(void)second;
	return 0;
}

int __impasse_begin_once(int *number, int running, int done)
{
	if (*number == running)
		stop("blocking until something is done once", 105);
	int is_first = *number != done;
	if (is_first)
		*number = running;
	return is_first;
}

void __impasse_end_once(int *number, int value)
{
	*number = value;
}

int __impasse_block_while_equal(volatile int *address, int value, int flags, unsigned long open)
{
	(void)open;
	if (depth)
		stop("blocking in an atomic section", 105);
	if (*address != value)
		return 0;
	if (flags & IMPASSE_TIMED)
		return 110;
	stop("blocked forever", 106);
}

/* Nobody is there to interrupt: what is sent is taken by the thread itself. */
static unsigned long blocked, pending;

unsigned long __impasse_blocked_signals(void) { return blocked; }
void __impasse_block_signals(unsigned long set) { blocked = set; }
unsigned long __impasse_pending_signals(void) { return pending; }
void __impasse_signal_handled(int signal, int handled, int ignored)
{
	(void)handled;
	if (ignored)
		pending &= ~(1UL << (signal - 1));
}

int __impasse_send_signal(void *thread, int signal, int ignored, void (*handle)(int, int, unsigned long))
{
	(void)thread, (void)ignored, (void)handle;
	pending |= 1UL << (signal - 1);
	return 0;
}

int __impasse_signal_process(int signal, int ignored, void (*handle)(int, int, unsigned long))
{
	(void)ignored, (void)handle;
	if (!(blocked >> (signal - 1) & 1))
		return 1;
	pending |= 1UL << (signal - 1);
	return 0;
}

int __impasse_wait_for_signal(unsigned long set, int flags)
{
	unsigned long waiting = pending & set;
	if (!waiting && !(flags & IMPASSE_TIMED))
		stop("blocked forever", 106);
	pending &= ~(waiting & -waiting);
	return waiting ? __builtin_ctzl(waiting) + 1 : 0;
}

int __impasse_time_is_unknown(void) { return 0; }
int __impasse_interrupted(unsigned long open) { (void)open; return 0; }
void __impasse_handler_ends(int restarts) { (void)restarts; }

int __impasse_choose(int n) { (void)n; return 0; }
void __impasse_assume(int condition) { if (!condition) __impasse_exit(0); }

int __impasse_random_byte(long count) { (void)count; return 7; }
int __impasse_follows_inputs(void) { return 0; }
int __impasse_input_is_unknown(void) { return 0; }
char *__impasse_unknown_argument(int i) { (void)i; return 0; }
int __impasse_unknown_byte(int of) { (void)of; return 7; }
int __impasse_main_waits(void) { return 0; }

long long __impasse_choose_range(const char *type, int bits, int is_signed)
{
	(void)type, (void)bits, (void)is_signed;
	return 7;
}

long long __impasse_choose_upper_half(const char *type, int is_signed, long long lower)
{
	(void)type, (void)is_signed, (void)lower;
	return 0;
}

long __impasse_time(int clock)
{
	static long now;
	(void)clock;
	return now += 1000000000;
}

void __impasse_output(int fd, const void *data, unsigned long n)
{
	system_call(WRITE, fd, (long)data, (long)n);
}

static const char input[] = "first line\n2 3.5 word\n";
static const char *const paths[] = {"data/", "data/hello.txt", "top.txt"};
static const char *const contents[] = {"", "hello, file\n", "top\n"};

static const char *content(long i)
{
	return i < 0 ? input : contents[i];
}

void __impasse_asks(const char *what, const char *subject) { (void)what; (void)subject; }
long long __impasse_snapshot_count(void) { return 3; }
const char *__impasse_snapshot_path(long long i) { return paths[i]; }

long long __impasse_snapshot_size(long long i)
{
	long n = 0;
	while (content(i)[n])
		n++;
	return n;
}

void __impasse_snapshot_read(long long i, void *buffer, long long offset, long long n)
{
	memcpy(buffer, content(i) + offset, (size_t)n);
}

int pthread_mutex_lock(void *m) { (void)m; return 0; }
int pthread_mutex_unlock(void *m) { (void)m; return 0; }
int pthread_mutex_init(void *m, const void *a) { (void)m, (void)a; return 0; }
int pthread_mutex_destroy(void *m) { (void)m; return 0; }
int pthread_cond_broadcast(void *c) { (void)c; return 0; }
int pthread_cond_signal(void *c) { (void)c; return 0; }
int sched_yield(void) { return 0; }
int pthread_setcancelstate(int state, int *old) { (void)state; if (old) *old = 0; return 0; }
unsigned long pthread_self(void) { return 1; }
_Noreturn void pthread_exit(void *value) { (void)value; stop("pthread_exit", 105); }

typedef void constructor(int, char **, char **);
extern constructor *__init_array_start[];
extern constructor *__init_array_end[];

long __impasse_time_after(long nanoseconds) { return nanoseconds; }
void __impasse_sleep_until(long time) { (void)time; }

/* Ours run at the end of the process, with everybody's. */
void __impasse_run_destructors(void)
{
}

void __impasse_run_constructors(int argc, char **argv, char **envp)
{
	for (constructor **f = __init_array_start; f < __init_array_end; f++)
		(*f)(argc, argv, envp);
}

/* The programs here make no call whose places overlap. */
void __impasse_disjoint(const char *function, const void *a, unsigned long m, const void *b, unsigned long n)
{
	(void)function, (void)a, (void)m, (void)b, (void)n;
}

extern const Elf64_Ehdr __ehdr_start;

/* The thread's variables end where the thread pointer points. */
static void set_up_thread_pointer(void)
{
	static char block[1 << 16] __attribute__((aligned(64)));
	char *pointer = block + sizeof block - 64;
	const Elf64_Phdr *header = (const void *)((const char *)&__ehdr_start + __ehdr_start.e_phoff);
	for (int i = 0; i < __ehdr_start.e_phnum; i++) {
		if (header[i].p_type != PT_TLS)
			continue;
		size_t size = (header[i].p_memsz + header[i].p_align - 1) / header[i].p_align * header[i].p_align;
		memcpy(pointer - size, (const void *)header[i].p_vaddr, header[i].p_filesz);
	}
	*(char **)pointer = pointer;
	system_call(ARCH_PRCTL, SET_FS, (long)pointer, 0);
}

void __impasse_start(int argc, char **argv, char **envp);

__attribute__((used)) static void start(long *stack)
{
	set_up_thread_pointer();
	int argc = (int)stack[0];
	char **argv = (char **)(stack + 1);
	__impasse_start(argc, argv, argv + argc + 1);
}

__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall start\n");
