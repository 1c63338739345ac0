/* The unwinder of the Itanium C++ ABI, over the machine's frames: it looks at the frames from its own outward, and asks each
 * one's personality function what to do. */
#include <unwind.h>
#include <stdlib.h>
#include <pthread.h>
#include "impasse_machine.h"
#include "thread_end.h"

/* The machine knows this layout. */
struct _Unwind_Context {
	unsigned long frame; /* its distance from the outermost one */
	_Unwind_Personality_Fn personality;
	uintptr_t region;
	uintptr_t ip;
	uintptr_t table;
	uintptr_t landing;
	uintptr_t registers[2];
};

enum wanted { ANY, HANDLER, LANDING };

static int next(struct _Unwind_Context *context, enum wanted wanted)
{
	return __impasse_next_frame(context, wanted);
}

static _Unwind_Reason_Code ask(struct _Unwind_Context *context, _Unwind_Action actions, struct _Unwind_Exception *e)
{
	return context->personality(1, actions, e->exception_class, e, context);
}

/* The end of what libc++abi puts in front of its own exceptions' `_Unwind_Exception` (__cxa_exception). */
struct head {
	void *type;
	void (*destructor)(void *);
	void (*unexpected)(void);
	void (*terminate)(void);
	void *next;
	int handlers, selector;
	const void *action, *table;
	void *catch_temporary, *adjusted;
	struct _Unwind_Exception exception;
};

void *__cxa_begin_catch(void *exception);

/* The stack is unwound, and no handler has caught the exception. */
__attribute__((noinline)) void __impasse_uncaught(struct _Unwind_Exception *e)
{
	__cxa_begin_catch(e);
	((struct head *)(e + 1) - 1)->terminate();
	abort();
}

/* "CLNGC++" and 0 or, for what `std::rethrow_exception` throws, 1. */
static int is_libcxxabis(const struct _Unwind_Exception *e)
{
	return e->exception_class >> 8 == 0x434C4E47432B2B;
}

/* Where the second phase unwinds to if there is no handler. */
#define NOWHERE (~0UL)

/* The second phase: clean up from a frame outward, and enter the handler that the first phase found. */
static _Unwind_Reason_Code clean_up(unsigned long from, struct _Unwind_Exception *e)
{
	struct _Unwind_Context context = {.frame = from};
	while (next(&context, LANDING)) {
		int handler = context.frame == e->private_2;
		_Unwind_Action actions = _UA_CLEANUP_PHASE | (handler ? _UA_HANDLER_FRAME : 0);
		_Unwind_Reason_Code reason = ask(&context, actions, e);
		if (reason == _URC_INSTALL_CONTEXT)
			__impasse_land(&context);
		if (reason != _URC_CONTINUE_UNWIND || handler)
			return _URC_FATAL_PHASE2_ERROR;
	}
	if (e->private_2 == NOWHERE)
		__impasse_uncaught(e);
	return _URC_FATAL_PHASE2_ERROR;
}

/* The only phase where there is no handler: `private_1` is the function that may stop it, `private_2` its argument. */
static _Unwind_Reason_Code clean_up_all(unsigned long from, struct _Unwind_Exception *e)
{
	_Unwind_Stop_Fn stop = (_Unwind_Stop_Fn)e->private_1;
	struct _Unwind_Context context = {.frame = from};
	for (;;) {
		int more = next(&context, ANY);
		_Unwind_Action actions = _UA_FORCE_UNWIND | _UA_CLEANUP_PHASE;
		_Unwind_Action last = more ? 0 : _UA_END_OF_STACK;
		if (stop(1, actions | last, e->exception_class, e, &context, (void *)e->private_2) != _URC_NO_REASON)
			return _URC_FATAL_PHASE2_ERROR;
		if (!more)
			return _URC_END_OF_STACK;
		if (!context.personality)
			continue;
		_Unwind_Reason_Code reason = ask(&context, actions, e);
		if (reason == _URC_INSTALL_CONTEXT)
			__impasse_land(&context);
		if (reason != _URC_CONTINUE_UNWIND)
			return _URC_FATAL_PHASE2_ERROR;
	}
}

/* The class of what unwinds a thread that exits. libc++abi does not know it, and so only `catch (...)` meets it. */
static const _Unwind_Exception_Class EXIT_OF_THREAD = 0x45584954;

_Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *e)
{
	unsigned long own = __impasse_frame();
	if (e->exception_class == EXIT_OF_THREAD)
		return clean_up_all(own, e);
	struct _Unwind_Context context = {.frame = own};
	for (;;) {
		if (!next(&context, HANDLER)) {
			if (!is_libcxxabis(e) || !__impasse_unwinds_uncaught())
				return _URC_END_OF_STACK;
			context.frame = NOWHERE;
			break;
		}
		_Unwind_Reason_Code reason = ask(&context, _UA_SEARCH_PHASE, e);
		if (reason == _URC_HANDLER_FOUND)
			break;
		if (reason != _URC_CONTINUE_UNWIND)
			return _URC_FATAL_PHASE1_ERROR;
	}
	e->private_1 = 0;
	e->private_2 = context.frame;
	return clean_up(own, e);
}

_Unwind_Reason_Code _Unwind_ForcedUnwind(struct _Unwind_Exception *e, _Unwind_Stop_Fn stop, void *argument)
{
	e->private_1 = (uintptr_t)stop;
	e->private_2 = (uintptr_t)argument;
	return clean_up_all(__impasse_frame(), e);
}

void _Unwind_Resume(struct _Unwind_Exception *e)
{
	if (e->private_1)
		clean_up_all(__impasse_frame(), e);
	else
		clean_up(__impasse_frame(), e);
	abort();
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *e)
{
	if (!e->private_1)
		return _Unwind_RaiseException(e);
	clean_up_all(__impasse_frame(), e);
	abort();
}

void _Unwind_DeleteException(struct _Unwind_Exception *e)
{
	if (e->exception_cleanup)
		e->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, e);
}

_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn visit, void *argument)
{
	struct _Unwind_Context context = {.frame = __impasse_frame()};
	while (next(&context, ANY)) {
		if (visit(&context, argument) != _URC_NO_REASON)
			return _URC_FATAL_PHASE1_ERROR;
	}
	return _URC_END_OF_STACK;
}

uintptr_t _Unwind_GetIP(struct _Unwind_Context *context)
{
	return context->ip;
}

uintptr_t _Unwind_GetIPInfo(struct _Unwind_Context *context, int *before)
{
	*before = 0;
	return context->ip;
}

void _Unwind_SetIP(struct _Unwind_Context *context, uintptr_t ip)
{
	context->ip = ip;
}

_Unwind_Word _Unwind_GetGR(struct _Unwind_Context *context, int number)
{
	return number == 0 || number == 1 ? context->registers[number] : 0;
}

void _Unwind_SetGR(struct _Unwind_Context *context, int number, _Unwind_Word value)
{
	if (number != 0 && number != 1)
		__impasse_unsupported("a register other than the two that landing pads get");
	context->registers[number] = value;
}

/* Frames have no addresses; numbers that fall toward the innermost frame, as a stack's do, take their place. */
_Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *context)
{
	return (1UL << 30) - 16 * context->frame;
}

void *_Unwind_GetLanguageSpecificData(struct _Unwind_Context *context)
{
	return (void *)context->table;
}

uintptr_t _Unwind_GetRegionStart(struct _Unwind_Context *context)
{
	return context->region;
}

uintptr_t _Unwind_GetDataRelBase(struct _Unwind_Context *context)
{
	(void)context;
	return 0;
}

uintptr_t _Unwind_GetTextRelBase(struct _Unwind_Context *context)
{
	(void)context;
	return 0;
}

void *_Unwind_FindEnclosingFunction(void *pc)
{
	return __impasse_function_start(pc);
}

/* C's: variables with a clean-up function. There is nothing but clean-up. */
_Unwind_Reason_Code __gcc_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                         struct _Unwind_Exception *e, struct _Unwind_Context *context)
{
	(void)version;
	(void)class;
	if (actions & _UA_SEARCH_PHASE || !context->landing)
		return _URC_CONTINUE_UNWIND;
	context->registers[0] = (uintptr_t)e;
	context->registers[1] = 0;
	context->ip = context->landing;
	return _URC_INSTALL_CONTEXT;
}

static _Unwind_Reason_Code leave_at_end(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                        struct _Unwind_Exception *e, struct _Unwind_Context *context, void *value)
{
	(void)version;
	(void)class;
	(void)e;
	(void)context;
	if (actions & _UA_END_OF_STACK)
		__impasse_leave_thread(value);
	return _URC_NO_REASON;
}

/* A handler for everything caught the end of the thread, and did not throw it on. */
static void not_rethrown(_Unwind_Reason_Code reason, struct _Unwind_Exception *e)
{
	(void)reason;
	(void)e;
	__impasse_failed("a handler that ends the exit of its thread (it must throw the exception on), which");
}

/* Clean-up handlers run while all frames are there still. */
void __impasse_unwind_thread(void *value)
{
	__impasse_run_cleanup_handlers();
	static _Thread_local struct _Unwind_Exception exit_of_thread;
	exit_of_thread.exception_class = EXIT_OF_THREAD;
	exit_of_thread.exception_cleanup = not_rethrown;
	_Unwind_ForcedUnwind(&exit_of_thread, leave_at_end, value);
	abort();
}
