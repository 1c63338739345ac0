/* The builtins of the machine, which the machine itself defines. BUILTINS.md says what each means. */
#ifndef IMPASSE_MACHINE_H
#define IMPASSE_MACHINE_H

/* Memory. */
void *__impasse_map(unsigned long n);
int __impasse_unmap(void *start, unsigned long n);
void __impasse_check_size(const void *object, unsigned long n);

/* Process. */
void __impasse_run_constructors(int argc, char **argv, char **envp);
void __impasse_run_destructors(void);
_Noreturn void __impasse_exit(int status);
_Noreturn void __impasse_abort(int signal);
_Noreturn void __impasse_failed(const char *what);
_Noreturn void __impasse_unsupported(const char *what);
int __impasse_main_waits(void);

/* Threads. */
int __impasse_thread_id(void);
int __impasse_cancel_requested(void);

void __impasse_fence_everywhere(void);

/* One step, blocking. */
void __impasse_atomic_begin(void);
void __impasse_atomic_end(void);
void __impasse_atomic_load_begin(const volatile void *object, unsigned long n);
void __impasse_atomic_update_begin(volatile void *object, unsigned long n);
void __impasse_atomic_access_end(void);
void __impasse_fence_before_load(const volatile int *address);
void __impasse_lock(volatile int *lock, int owner);
void __impasse_unlock(volatile int *lock);

enum { IMPASSE_TIMED = 1, IMPASSE_CANCELLABLE = 2, IMPASSE_NOT_RESTARTED = 4 };
int __impasse_shared_lock(int *state);
void __impasse_shared_await_readers(int *state);
void __impasse_shared_lock_shared(int *state);
int __impasse_shared_try_lock(int *state, int writes);
void __impasse_shared_unlock(int *state, int writes);
int __impasse_lock_both(void *first, void *second);
int __impasse_begin_once(int *number, int running, int done);
void __impasse_end_once(int *number, int value);
int __impasse_block_while_equal(volatile int *address, int value, int flags, unsigned long open);

/* Signals: sets have bit n - 1 for signal n. */
enum { IMPASSE_SHARED = 1 << 8 };
unsigned long __impasse_blocked_signals(void);
void __impasse_block_signals(unsigned long set);
unsigned long __impasse_pending_signals(void);
void __impasse_signal_handled(int signal, int handled, int ignored);
int __impasse_send_signal(void *thread, int signal, int ignored, void (*handle)(int, int, unsigned long));
enum { IMPASSE_WAITS = 0, IMPASSE_OWN = 1, IMPASSE_MERGED = 2, IMPASSE_IGNORED = 3 };
int __impasse_signal_process(int signal, int ignored, void (*handle)(int, int, unsigned long));
int __impasse_wait_for_signal(unsigned long set, int flags);
int __impasse_interrupted(unsigned long open);
void __impasse_handler_ends(int restarts);

/* An error of the function with this name, unless the two runs of bytes are apart. */
void __impasse_disjoint(const char *function, const void *a, unsigned long m, const void *b, unsigned long n);

/* Choice. */
int __impasse_choose(int n);
int __impasse_sometimes(void);
long long __impasse_choose_range(const char *type_name, int bits, int is_signed);
int __impasse_follows_inputs(void);
long long __impasse_choose_upper_half(const char *type_name, int is_signed, long long lower);
int __impasse_random_byte(long count);
int __impasse_input_is_unknown(void);
char *__impasse_unknown_argument(int i);
int __impasse_unknown_byte(int of);
void __impasse_assume(int condition);

/* The world outside. */
long __impasse_time(int clock);
long __impasse_time_after(long nanoseconds);
int __impasse_time_is_unknown(void);
void __impasse_sleep_until(long time);
void __impasse_asks(const char *what, const char *subject);
void __impasse_output(int fd, const void *data, unsigned long n);
long long __impasse_snapshot_count(void);
const char *__impasse_snapshot_path(long long i);
long long __impasse_snapshot_size(long long i);
void __impasse_snapshot_read(long long i, void *buffer, long long offset, long long n);

/* Unwinding. */
struct _Unwind_Context;
unsigned long __impasse_frame(void);
int __impasse_next_frame(struct _Unwind_Context *context, int wanted);
_Noreturn void __impasse_land(struct _Unwind_Context *context);
int __impasse_unwinds_uncaught(void);
void *__impasse_function_start(void *address);
_Noreturn void __impasse_leave_thread(void *value);

#endif
