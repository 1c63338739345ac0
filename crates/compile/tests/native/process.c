/* Exit, signals, keys, once, clocks, formatting: the runtime from the program's side. */
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int handled, ran;

static void handler(int signal)
{
	handled = handled * 100 + signal;
}

static void signals(void)
{
	sigset_t set;
	assert(signal(SIGUSR1, handler) == SIG_DFL && !raise(SIGUSR1) && handled == SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	assert(!sigprocmask(SIG_BLOCK, &set, 0) && !kill(getpid(), SIGUSR1) && handled == SIGUSR1);
	assert(!sigprocmask(SIG_UNBLOCK, &set, 0) && handled == 101 * SIGUSR1);
	assert(signal(SIGUSR1, SIG_IGN) == handler && !raise(SIGUSR1) && handled == 101 * SIGUSR1 && !raise(SIGCHLD));
}

static void once(void)
{
	ran++;
}

static void keys_and_once(void)
{
	pthread_key_t key;
	pthread_once_t control = PTHREAD_ONCE_INIT;
	once_flag flag = ONCE_FLAG_INIT;
	assert(!pthread_key_create(&key, free) && !pthread_getspecific(key));
	assert(!pthread_setspecific(key, &ran) && pthread_getspecific(key) == &ran && !pthread_key_delete(key));
	pthread_once(&control, once), pthread_once(&control, once), call_once(&flag, once), call_once(&flag, once);
	assert(ran == 2);
}

static void attributes(void)
{
	pthread_mutexattr_t m;
	pthread_attr_t a;
	int value;
	assert(!pthread_mutexattr_init(&m) && !pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE) && *(unsigned *)&m == 1);
	assert(!pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST));
	assert(!pthread_attr_init(&a) && !pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED));
	assert(((int *)&a)[6] == 1 && !pthread_attr_getdetachstate(&a, &value) && value == PTHREAD_CREATE_DETACHED);
	assert(sizeof(pthread_mutex_t) == 40 && sizeof(pthread_cond_t) == 48 && sizeof(pthread_rwlock_t) == 56);
	assert(sizeof(pthread_barrier_t) == 32 && sizeof(pthread_attr_t) == 56);
}

static void time_and_memory(void)
{
	struct timespec a, b;
	clock_gettime(CLOCK_MONOTONIC, &a), clock_gettime(CLOCK_MONOTONIC, &b);
	assert(a.tv_sec + 1 == b.tv_sec && time(0) == b.tv_sec + 1 && !usleep(10));
	struct tm *t = gmtime(&(time_t){86400 * 365});
	assert(t->tm_year == 71 && t->tm_mday == 1);
	char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED && p[8191] == 0 && !munmap(p, 8192));
}

static void formatting(void)
{
	char text[80];
	snprintf(text, sizeof text, "%5d|%-5s|%.3f|%Lg|%a", -42, "ab", acos(-1), 1e100L, 1.5);
	assert(!strcmp(text, "  -42|ab   |3.142|1e+100|0x1.8p+0"));
	assert(strtod("0.1", 0) == 0.1 && strtol("-0x1f", 0, 0) == -31 && MB_CUR_MAX == 1 && setlocale(LC_ALL, "C"));
	volatile double complex z = 1 + 2 * I;
	z = z * z / z;
	assert(creal(z) == 1 && cimag(z) == 2);
	errno = 0;
	assert(getenv("ABSENT") == 0 && getenv("PRESENT") && !strcmp(getenv("PRESENT"), "1") && errno == 0);
}

static void last(void)
{
	puts("last");
}

int main(int argc, char **argv)
{
	signals();
	keys_and_once();
	attributes();
	time_and_memory();
	formatting();
	atexit(last);
	printf("%d %s\n", argc, argv[1]);
	exit(3);
}
