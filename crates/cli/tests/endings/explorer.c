// Decides whether a small program ends whatever it reads, by trying all that it can read.
//
// The program is compiled with `program.h` and executes on a stack of its own. At each head of a
// loop and at each input it switches to the search, which sees its whole state: the bytes of that
// stack, with the registers, and those of the global variables. A state that is on the current path
// already shows an execution without end; one that was left for good is not entered again.
//
//     explorer wrap|strict|unbounded [INPUT...] [-- BYTE...]
//
// `strict` ends paths at signed overflow, and `unbounded` gives up there. The inputs are read first, before all are tried; the
// bytes are those of standard input.

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event.h"

enum { DEPTH = 20000, STATES = 1 << 20 };
enum outcome { ENDS, LOOPS, MANY, UNDEFINED };
enum colour { NONE, GREY, BLACK };

#define STACK_SIZE (16l << 20)
#define STACK_END ((char *)0x10000000000 + STACK_SIZE)
#define SHARED ((struct shared *)0x20000000000)

extern char __data_start[], _end[];
void program(void);

struct state {
    uint64_t first, second;
    long colour;
};

struct choice {
    char *globals, *stack, *top;
    unsigned long next, count;
    long path;
};

/* What the search knows is outside of the memory that is the program's state. */
struct shared {
    char *program, *search;
    enum event event;
    unsigned long count, answer;
    int strict, is_undefined;
    long words, bytes, choices, path, states;
    long word[256], byte[64];
    struct choice choice[DEPTH];
    long on_path[STATES];
    struct state state[STATES * 2];
};

__attribute__((noreturn)) static void finish(enum outcome outcome)
{
    static const char *const names[] = {"ends", "loops", "many", "undefined"};
    dprintf(1, "%s %ld\n", names[outcome], SHARED->states);
    _exit(0);
}

void switch_stacks(char **kept, char *other);
__asm__(".text\n"
        "switch_stacks:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

/* Called by the program. */
unsigned long explorer_event(enum event event, unsigned long count)
{
    SHARED->event = event;
    SHARED->count = count;
    switch_stacks(&SHARED->program, SHARED->search);
    return SHARED->answer;
}

long explorer_words(void) { return SHARED->words; }
long explorer_word(long n) { return SHARED->word[n]; }
long explorer_bytes(void) { return SHARED->bytes; }
long explorer_byte(long n) { return SHARED->byte[n]; }

static void hash(uint64_t sum[2], const char *from, const char *to)
{
    for (; from < to; from += 8) {
        uint64_t word = 0;
        memcpy(&word, from, to - from < 8 ? to - from : 8);
        sum[0] = (sum[0] ^ word) * 0x9e3779b97f4a7c15;
        sum[0] ^= sum[0] >> 29;
        sum[1] = (sum[1] + word) * 0xd6e8feb86659fd93;
        sum[1] ^= sum[1] >> 32;
    }
}

void explorer_globals(unsigned long sum[2])
{
    uint64_t globals[2] = {1, 2};
    hash(globals, __data_start, _end);
    memcpy(sum, globals, sizeof globals);
}

/* Where the program's state is in the table, or belongs. */
static struct state *find(void)
{
    uint64_t sum[2] = {SHARED->event, SHARED->count};
    hash(sum, (char *)&SHARED->program, (char *)(&SHARED->program + 1));
    hash(sum, SHARED->program, STACK_END);
    hash(sum, __data_start, _end);
    long at = sum[0] % (STATES * 2);
    while (SHARED->state[at].colour != NONE &&
           (SHARED->state[at].first != sum[0] || SHARED->state[at].second != sum[1]))
        at = (at + 1) % (STATES * 2);
    SHARED->state[at].first = sum[0];
    SHARED->state[at].second = sum[1];
    return &SHARED->state[at];
}

static char *copied(const char *from, const char *to)
{
    char *memory = malloc(to - from);
    memcpy(memory, from, to - from);
    return memory;
}

static void choose(void)
{
    SHARED->answer = 0;
    if (SHARED->count == 1)
        return;
    if (SHARED->choices == DEPTH)
        finish(MANY);
    SHARED->choice[SHARED->choices++] = (struct choice){
        .globals = copied(__data_start, _end),
        .stack = copied(SHARED->program, STACK_END),
        .top = SHARED->program,
        .next = 1,
        .count = SHARED->count,
        .path = SHARED->path,
    };
}

/* Continues where another input is left to try. */
static void backtrack(void)
{
    for (;;) {
        if (SHARED->choices == 0)
            finish(SHARED->is_undefined ? UNDEFINED : ENDS);
        struct choice *choice = &SHARED->choice[SHARED->choices - 1];
        while (SHARED->path > choice->path)
            SHARED->state[SHARED->on_path[--SHARED->path]].colour = BLACK;
        if (choice->next < choice->count) {
            memcpy(__data_start, choice->globals, _end - __data_start);
            memcpy(choice->top, choice->stack, STACK_END - choice->top);
            SHARED->program = choice->top;
            SHARED->answer = choice->next++;
            return;
        }
        free(choice->globals);
        free(choice->stack);
        SHARED->choices--;
    }
}

static void visit(void)
{
    struct state *state = find();
    if (state->colour == GREY)
        finish(LOOPS);
    if (state->colour == BLACK) {
        backtrack();
        return;
    }
    if (++SHARED->states == STATES)
        finish(MANY);
    state->colour = GREY;
    SHARED->on_path[SHARED->path++] = state - SHARED->state;
    if (SHARED->event == INPUT)
        choose();
}

__attribute__((noreturn)) static void start(void)
{
    program();
    for (;;)
        explorer_event(END, 0);
}

static void *map(void *where, long size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return mmap(where, size, PROT_READ | PROT_WRITE, flags, -1, 0);
}

static void read_words(char **arguments)
{
    for (; *arguments && strcmp(*arguments, "--"); arguments++)
        SHARED->word[SHARED->words++] = strtoull(*arguments, 0, 10);
    if (*arguments)
        while (*++arguments)
            SHARED->byte[SHARED->bytes++] = atoi(*arguments);
}

int main(int count, char **arguments)
{
    map(STACK_END - STACK_SIZE, STACK_SIZE);
    map(SHARED, sizeof *SHARED);
    SHARED->strict = !strcmp(arguments[1], "strict") + 2 * !strcmp(arguments[1], "unbounded");
    read_words(arguments + 2);
    alarm(10);
    char **top = (char **)(STACK_END - 64);
    top[6] = (char *)start;
    SHARED->program = (char *)top;
    for (;;) {
        switch_stacks(&SHARED->search, SHARED->program);
        switch (SHARED->event) {
        case END: backtrack(); break;
        case HEAD:
        case INPUT: visit(); break;
        case OVERFLOW:
            if (SHARED->strict == 2)
                finish(MANY);
            if (SHARED->strict)
                backtrack();
            break;
        case DEEPER: finish(LOOPS);
        case DEEP: finish(MANY);
        case ERROR:
            SHARED->is_undefined = 1;
            backtrack();
            break;
        }
    }
}

/* What clang's sanitizers call. */
#define OVERFLOWS(name)                                                                                                \
    void __ubsan_handle_##name(void) { explorer_event(OVERFLOW, 0); }
#define FAILS(name)                                                                                                    \
    void __ubsan_handle_##name(void) { explorer_event(ERROR, 0); }
OVERFLOWS(add_overflow)
OVERFLOWS(sub_overflow)
OVERFLOWS(mul_overflow)
OVERFLOWS(negate_overflow)
FAILS(divrem_overflow)
FAILS(shift_out_of_bounds)
FAILS(out_of_bounds)
FAILS(load_invalid_value)
