/* How a thread asks, and waits for the answer. */
#define _GNU_SOURCE
#include "objects.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <unwind.h>

static _Thread_local int channel = -1;
static _Thread_local uint32_t number;
static _Thread_local bool vain;
/* Whether the thread is in the runtime: what that calls is no matter of the program's. */
static _Thread_local bool inside;

uint32_t own_number(void)
{
	return number;
}

bool steered(void)
{
	return channel >= 0 && !inside;
}

void *real(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found)
		_exit(113);
	return found;
}

/* System calls as they are: those of the C library are points at which threads are cancelled. */
static void transfer(long call, void *bytes, size_t size)
{
	for (char *at = bytes; size;) {
		long done = syscall(call, channel, at, size);
		if (done > 0) {
			at += done;
			size -= done;
		} else if (done == 0 || errno != EINTR) {
			/* Who steers has gone. */
			_exit(114);
		}
	}
}

struct walk {
	uint64_t *stack;
	size_t frames, most;
	uintptr_t caller;
	bool seen;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
	struct walk *walk = data;
	int interrupted = 0;
	uintptr_t at = _Unwind_GetIPInfo(context, &interrupted);
	/* Addresses are those after the code. */
	bool first = at == walk->caller || at + interrupted == walk->caller;
	if (!walk->seen && first)
		at = walk->caller - interrupted;
	walk->seen |= first;
	if (walk->seen)
		walk->stack[walk->frames++] = at + interrupted;
	return walk->frames == walk->most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

size_t stack_from(uintptr_t caller, uint64_t *stack, size_t most)
{
	struct walk walk = {.stack = stack, .most = most, .caller = caller};
	/* The first time, it calls functions of ours. */
	bool before = inside;
	inside = true;
	_Unwind_Backtrace(visit, &walk);
	inside = before;
	if (!walk.seen) {
		stack[0] = caller;
		walk.frames = 1;
	}
	return walk.frames;
}

static void say(enum kind kind, int detail, const volatile void *address, size_t size,
		uint64_t other, uintptr_t caller)
{
	struct message message = {
		.kind = kind,
		.detail = detail,
		.vain = vain,
		.thread = number,
		.threads = thread_count(),
		.address = (uintptr_t)address,
		.size = size,
		.other = other,
	};
	vain = false;
	set_stack_now((uintptr_t)__builtin_frame_address(0));
	if (caller)
		message.frames = stack_from(caller, message.stack, STACK);
	transfer(SYS_write, &message, sizeof message);
}

enum answer {
	ANSWER_GO = 1,
	ANSWER_GIVE_UP,
	ANSWER_WAKE,
	/* And more: the number of a signal to take. */
	ANSWER_SIGNAL = 64,
};

static char wait_for_answer(void)
{
	char answer;
	transfer(SYS_read, &answer, 1);
	return answer;
}

void connect_thread(uint32_t own)
{
	const char *path = getenv("IMPASSE_STEERED");
	if (!path)
		return;
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	strncpy(address.sun_path, path, sizeof address.sun_path - 1);
	int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* Out of the way of the program's own. */
	int moved = descriptor < 0 ? -1 : (int)syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, 500);
	if (moved < 0 || connect(moved, (struct sockaddr *)&address, sizeof address))
		_exit(115);
	close(descriptor);
	number = own;
	channel = moved;
	prepare_for_signals();
	inside = true;
	say(KIND_STARTED, 0, NULL, syscall(SYS_gettid), 0, 0);
	wait_for_answer();
	inside = false;
}

/* The program's handler runs as if it had interrupted what calls the runtime. */
static bool handle_now(uint8_t answer, bool has_end, uintptr_t caller)
{
	inside = false;
	bool interrupts = take_signal(answer - ANSWER_SIGNAL, has_end, caller);
	inside = true;
	return interrupts;
}

bool arrive(enum class class, const volatile void *address, size_t size, uintptr_t caller)
{
	return arrive_with(class, address, size, 0, caller);
}

bool arrive_with(enum class class, const volatile void *address, size_t size, uint64_t other,
		 uintptr_t caller)
{
	if (!steered())
		return false;
	int saved = errno;
	inside = true;
	uint8_t answer;
	for (;;) {
		say(KIND_ARRIVED, class, address, size, other, caller);
		answer = wait_for_answer();
		if (answer < ANSWER_SIGNAL)
			break;
		handle_now(answer, false, caller);
	}
	inside = false;
	errno = saved;
	return answer == ANSWER_GIVE_UP;
}

bool arrive_interruptible(uintptr_t caller)
{
	uint64_t before = signals_taken();
	arrive_with(CALL_ORDERS_NOTHING, NULL, 0, 1, caller);
	return signals_taken() != before;
}

enum wait blocked(const struct timespec *until, uintptr_t caller)
{
	inside = true;
	say(KIND_BLOCKED, until != NULL, NULL, 0, 0, caller);
	uint8_t answer = wait_for_answer();
	bool interrupts = answer >= ANSWER_SIGNAL && handle_now(answer, until != NULL, caller);
	if (answer == ANSWER_GIVE_UP && until)
		pass_until(until);
	inside = false;
	if (interrupts)
		return WAIT_INTERRUPTED;
	switch (answer) {
	case ANSWER_GIVE_UP:
		return WAIT_LATE;
	case ANSWER_WAKE:
		return WAIT_SPURIOUS;
	default:
		return WAIT_AGAIN;
	}
}

enum wait blocked_since(uint64_t taken, const struct timespec *until, uintptr_t caller)
{
	return signals_taken() != taken ? WAIT_INTERRUPTED : blocked(until, caller);
}

int attempted(int result)
{
	vain = result != 0;
	return result;
}

void ended(void)
{
	if (!steered())
		return;
	say(KIND_ENDED, 0, NULL, 0, 0, 0);
	int last = channel;
	channel = -1;
	close(last);
}

void failed(enum failure failure, uintptr_t caller)
{
	inside = true;
	say(KIND_FAILED, failure, NULL, 0, 0, caller);
	if (getenv("IMPASSE_DEBUGGED"))
		raise(SIGTRAP);
	for (;;)
		pause();
}

static void stop_if_wanted(char answer)
{
	if (answer != ANSWER_GIVE_UP)
		return;
	if (getenv("IMPASSE_DEBUGGED"))
		raise(SIGTRAP);
	for (;;)
		pause();
}

void noticed(enum failure failure, uintptr_t caller)
{
	if (!steered())
		return;
	int saved = errno;
	inside = true;
	say(KIND_NOTICED, failure, NULL, 0, 0, caller);
	stop_if_wanted(wait_for_answer());
	inside = false;
	errno = saved;
}

void noticed_at(enum failure failure, const uint64_t *stack, size_t frames)
{
	struct message message = {
		.kind = KIND_NOTICED,
		.detail = failure,
		.frames = frames,
		.thread = number,
		.threads = thread_count(),
	};
	if (!steered())
		return;
	inside = true;
	memcpy(message.stack, stack, frames * sizeof *stack);
	transfer(SYS_write, &message, sizeof message);
	stop_if_wanted(wait_for_answer());
	inside = false;
}

void crashed(int signal, bool overflow, uintptr_t after)
{
	if (channel < 0)
		return;
	inside = true;
	enum kind kind = overflow ? KIND_STACK_OVERFLOW : KIND_KILLED;
	say(kind, signal, NULL, 0, 0, after);
}

bool connected(void)
{
	return channel >= 0;
}

/* A child process goes its own way. */
static void leave(void)
{
	channel = -1;
	end_signals();
}

int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));

__attribute__((constructor(101))) static void begin(void)
{
	pthread_atfork(NULL, NULL, leave);
	begin_signals();
	connect_thread(0);
}
