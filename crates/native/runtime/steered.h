/* A runtime for programs that are built with ThreadSanitizer's instrumentation: each thread asks
 * before each access and each call of the threads library, and continues when it is resumed. What it
 * asks is described in ../src/protocol.rs, and must agree with it. */
#ifndef STEERED_H
#define STEERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a thread is about to do. */
enum class {
	CLASS_CALL,
	CLASS_READ,
	CLASS_WRITE,
	CLASS_UPDATE,
	/* Added to the others for atomic accesses, and to calls for fences. */
	CLASS_ATOMIC = 8,
};

/* Added to a class: a memory order as the compiler numbers them. A call without one does both. */
#define ORDER(order) (((order) & 7) << 4)

/* What it says. */
enum kind {
	KIND_STARTED,
	KIND_ARRIVED,
	KIND_BLOCKED,
	KIND_ENDED,
	KIND_FAILED,
	/* The detail is the number of the signal. */
	KIND_KILLED,
	KIND_STACK_OVERFLOW,
	/* Something may be wrong; who steers says by the answer whether it is what is looked for. */
	KIND_NOTICED,
};

/* What is wrong, where the runtime notices it. */
enum failure {
	FAILURE_ASSERTION,
	FAILURE_OUT_OF_BOUNDS,
	FAILURE_USE_AFTER_FREE,
	FAILURE_DOUBLE_FREE,
	FAILURE_INVALID_FREE,
	FAILURE_MUTEX,
	FAILURE_THREAD,
	FAILURE_USE_AFTER_RETURN,
	FAILURE_OVERFLOW,
	FAILURE_DIVISION,
	FAILURE_SHIFT,
	FAILURE_UNREACHABLE,
	FAILURE_CALL,
	FAILURE_LEAK,
};

#define STACK 24

struct message {
	uint8_t kind, detail, frames;
	/* Whether the call before has done nothing. */
	uint8_t vain;
	/* The thread, and how many there have been. */
	uint16_t thread, threads;
	uint64_t address, size, other;
	uint64_t stack[STACK];
};

/* The place in the program from which the runtime was called. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

bool steered(void);
void connect_thread(uint32_t number);
/* Returns whether what the thread is about to try is to fail. */
bool arrive(enum class class, const volatile void *address, size_t size, uintptr_t caller);
/* The same, of a call that is about another thing too: the number of a thread, or a lock. */
bool arrive_with(enum class class, const volatile void *address, size_t size, uint64_t other,
		 uintptr_t caller);
struct timespec;
/* Says that the thread is blocked, and returns when it should try again, or is to give up, which a
 * wait can that has an end, or is to act as if it were woken, which waits for conditions can. */
enum wait { WAIT_AGAIN, WAIT_LATE, WAIT_SPURIOUS, WAIT_INTERRUPTED };
enum wait blocked(const struct timespec *until, uintptr_t caller);
/* Says with the next message that the call has been in vain if this is not 0, and returns it. */
int attempted(int result);
void ended(void);
/* Says what is wrong; does not return. */
_Noreturn void failed(enum failure failure, uintptr_t caller);
/* Says what may be wrong; returns if the process is to continue. */
void noticed(enum failure failure, uintptr_t caller);
void noticed_at(enum failure failure, const uint64_t *stack, size_t frames);
/* Says that a signal kills the process, and after which address of code. */
void crashed(int signal, bool overflow, uintptr_t after);
/* Whether this process is steered. */
bool connected(void);
void prepare_for_signals(void);
void begin_signals(void);
void end_signals(void);
/* Takes a signal now, while the thread is where it waits for an answer. Returns whether that
 * interrupts a wait that has an end, or another one. */
bool take_signal(int number, bool has_end, uintptr_t caller);
/* How many signals the thread has taken. */
uint64_t signals_taken(void);
/* As blocked, but a signal interrupts the wait too that was taken since so many were. */
struct timespec;
enum wait blocked_since(uint64_t taken, const struct timespec *until, uintptr_t caller);
/* Waits for a call that a signal may interrupt. Returns whether one has. */
bool arrive_interruptible(uintptr_t caller);
void check_memory(const volatile void *address, size_t size, uintptr_t caller);
/* The same, of memory that is not allocated, as far as the instrumentation has marked it. */
void check_marks(const volatile void *address, size_t size, uintptr_t caller);
uint16_t thread_count(void);
uint32_t own_number(void);
/* Says if what is copied and where it goes overlap. */
void check_apart(const void *to, size_t written, const void *from, size_t read, uintptr_t caller);
/* Allocations, for those that are lost at the end. */
void note_allocation(void *at, size_t size, uintptr_t caller);
void note_freed(void *at);
/* The stack of a thread by its number, and how far it reaches down now: not at all, if the thread
 * has ended. Returns false if there is no such thread. */
bool stack_of(uint32_t number, uintptr_t *start, uintptr_t *end, uintptr_t *now);
void set_stack_now(uintptr_t now);
/* Whether memory belongs to the runtime and is not to be searched. */
bool is_runtimes(uintptr_t at);
bool is_of_arena(uintptr_t at);
/* Searches the frames that are not left. */
void search_frames(void);
void search_frame(uintptr_t from, uintptr_t to);
/* The addresses of code on the stack, from that of a call. */
size_t stack_from(uintptr_t caller, uint64_t *stack, size_t most);
void *real(const char *name);

#endif
