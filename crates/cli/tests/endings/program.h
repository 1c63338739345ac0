// What a program is compiled with that `explorer.c` executes.

#include "event.h"

static long explorer_read, explorer_byte_read;

/* A number below `count`, or the next one of those that are given. */
static unsigned long explorer_input(unsigned long count)
{
    if (explorer_read < explorer_words())
        return explorer_word(explorer_read++);
    return explorer_event(INPUT, count);
}

static int explorer_getchar(void)
{
    if (explorer_byte_read == STDIN_BYTES)
        return -1;
    long n = explorer_byte_read++;
    return n < explorer_bytes() ? explorer_byte(n) : (long)explorer_event(INPUT, 256);
}

static _Noreturn void explorer_end(void)
{
    for (;;)
        explorer_event(END, 0);
}

typedef _Bool explorer_bool;
typedef unsigned char explorer_uchar;
typedef signed char explorer_char;
typedef unsigned explorer_uint;
typedef int explorer_int;

/* A call that is like an active one, with the same global variables, leads to another such call. */
struct explorer_call {
    struct explorer_call *above;
    long function, first, second;
    unsigned long globals[2];
};
static struct explorer_call *explorer_calls;

static void explorer_enter(struct explorer_call *call)
{
    call->above = explorer_calls;
    explorer_calls = 0;
    explorer_globals(call->globals);
    explorer_calls = call;
    int depth = 0;
    for (struct explorer_call *other = call->above; other; other = other->above) {
        if (++depth > 3000)
            explorer_event(DEEP, 0);
        if (other->function == call->function && other->first == call->first &&
            other->second == call->second && other->globals[0] == call->globals[0] &&
            other->globals[1] == call->globals[1])
            explorer_event(DEEPER, 0);
    }
}

static void explorer_leave(struct explorer_call *call) { explorer_calls = call->above; }

#define HEAD(n) (void)explorer_event(HEAD, n)
#define CALLED(n, a, b)                                                                                                \
    struct explorer_call explorer_call __attribute__((cleanup(explorer_leave))) = {0, n, a, b, {0, 0}};                \
    explorer_enter(&explorer_call)
#define COUNT(n)
#define IN(type, count) ((explorer_##type)explorer_input(count) & ((count)-1))
#define IN_MODULO(type, count) ((explorer_##type)explorer_input(count) % (count))
#define IN_WHOLE(type, count) ((explorer_##type)explorer_input(count))
#define IN_BYTE() explorer_getchar()
#define ASSUME(condition) if (!(condition)) explorer_end()
#define STOP() explorer_end()

#define main explorer_main
#ifdef UNBOUNDED
// Mathematical integers, as long as they fit a `long`.
#define signed
#define char long
#define short long
#define int long
#define unsigned long
#endif
