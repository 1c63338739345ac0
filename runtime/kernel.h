/* The system calls, as the files of the runtime that stand for the kernel share them.
 *
 * Each returns what the system call does: a value, or a negated error number. Those marked
 * [atomic] are called between __impasse_atomic_begin and _end; the others see to it themselves. */
#ifndef IMPASSE_KERNEL_H
#define IMPASSE_KERNEL_H

#include <limits.h>
#include <signal.h>
#include <sys/uio.h>

struct k_sigaction;
struct timespec;

/* The process, and who runs it. */
enum { IMPASSE_PROCESS_ID = 100, IMPASSE_USER_ID = 1000 };

/* What the running thread is called. */
enum { IMPASSE_NAME_BYTES = 16 };
extern _Thread_local char __impasse_thread_name[IMPASSE_NAME_BYTES];

/* A length of time in nanoseconds; -EINVAL if it is none. */
long __impasse_nanoseconds(const struct timespec *t);

/* Of a wait: it has no limit in time. */
#define IMPASSE_NO_LIMIT LONG_MIN
struct pollfd;

/* Calls about the process, its limits and its priority; -ENOSYS for any other call. */
long __impasse_process_call(long n, long a, long b, long c, long d, long e);

/* What the kernel calls a call that Impasse does not know; 0 if it is none of these either. */
const char *__impasse_name_of_call(long n);

long __impasse_futex(volatile int *address, int operation, int value, long timeout, volatile int *other, unsigned set);

/* Signals. */
long __impasse_sigaction(int signal, const struct k_sigaction *new, struct k_sigaction *old);
long __impasse_sigprocmask(int how, const unsigned long *set, unsigned long *old);
long __impasse_sigpending(unsigned long *set);
long __impasse_sigtimedwait(const unsigned long *set, siginfo_t *info, const struct timespec *limit);
long __impasse_sigsuspend(const unsigned long *mask);

/* Handles a signal that __impasse_wait_for_signal has taken, while others are blocked. Returns whether a handler ran. */
int __impasse_deliver(int taken, unsigned long blocked);

/* The same in a wait that lets signals through, while all are blocked. Where a handler runs, the others that are let through are
 * handled as well: none of them waits any more when the wait ends. */
int __impasse_deliver_open(int taken, unsigned long open);

/* A timer has expired: sends its signal to the process [atomic], in a thread that blocks all. */
void __impasse_post_timer_signal(int signal, int code, int timer, union sigval value);
void __impasse_deliver_if_alone(int signal);
int __impasse_only_here(int signal);

/* Of a thread that has set timers, else null: what sees a sleep begin and end. */
struct sleep_observer {
	void (*begins)(long nanoseconds);
	void (*ends)(int is_whole);
};
extern _Thread_local const struct sleep_observer *__impasse_sleep_observer;

/* Files, by descriptor. Of the waits, the time may be IMPASSE_NO_LIMIT or a negated error number, and the mask null. */
long __impasse_read(int fd, const struct iovec *parts, int count, long offset);
long __impasse_poll(struct pollfd *fds, unsigned long n, long nanoseconds, const unsigned long *mask);
long __impasse_select(int n, unsigned long *readable, unsigned long *writable, unsigned long *exceptional, long nanoseconds,
                      const unsigned long *mask);
long __impasse_write(int fd, const struct iovec *parts, int count, long offset);
/* With O_NONBLOCK in `flags`, without waiting; and without SIGPIPE. The name is null, or that of the other end of a datagram. */
struct socket_name;
long __impasse_receive(int fd, const struct iovec *parts, int count, int flags, const struct socket_name *name);
long __impasse_send(int fd, const struct iovec *parts, int count, long offset, int flags, const struct socket_name *name);

struct epoll_event;
long __impasse_epoll_wait(int fd, struct epoll_event *events, int most, long nanoseconds, const unsigned long *mask);
/* These wait: for who opens the other end of a pipe, for room at a socket that listens, for a connection. */
long __impasse_open_waiting(int folder_fd, const char *path, int flags, unsigned mode);
long __impasse_connect(int fd, const void *name, unsigned length);
long __impasse_accept(int fd, void *name, unsigned *length, int flags);
/* Of sendto and recvfrom, `name` is that of the other end. */
long __impasse_transfer_message(long n, int fd, long a, long b, int flags, struct socket_name name);

/* Fills bytes with random ones: which a program gets is not fixed, each is a choice. */
long __impasse_random(unsigned char *to, long n);

/* Everything about files that never blocks [atomic]; -ENOSYS for any other call. */
long __impasse_file_call(long n, long a, long b, long c, long d, long e);

#endif
