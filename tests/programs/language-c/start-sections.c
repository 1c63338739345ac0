// expect: verified
// broken: error kind=assertion
#include <assert.h>

static int at;

static void is(int step)
{
	assert(at == step);
	at++;
}

static void before_all(int argc, char **argv, char **envp) { is(0); }
static void early(void) { is(2); }
static void of_section(int argc, char **argv, char **envp)
{
	is(4);
	assert(argc == 1 && argv[0] && !argv[1] && envp);
}
static void second_of_section(void) { is(5); }
static void last_of_end(void) { is(11); }

typedef void started(int, char **, char **);
typedef void plain(void);
#define IN(name) __attribute__((section(name), used)) static

IN(".preinit_array") started *const preinit = before_all;
IN(".init_array.00102") plain *const numbered = early;
IN(".init_array") started *const init = of_section;
IN(".init_array") plain *const second = second_of_section;
IN(".fini_array") plain *const fini = last_of_end;

__attribute__((constructor(101))) static void first(void) { is(1); }
__attribute__((constructor(103))) static void third(void) { is(3); }
__attribute__((constructor)) static void with_arguments(int argc, char **argv)
{
	is(6);
	assert(argc == 1 && argv[0]);
}
__attribute__((destructor(101))) static void very_last(void) { is(13); }
__attribute__((destructor(102))) static void last_but_one(void) { is(12); }
__attribute__((destructor)) static void after_others(void) { is(10); }
__attribute__((destructor)) static void at_end(void) { is(9); }

int main(void)
{
	is(7);
#ifdef BROKEN
	is(7);
#endif
	is(8);
	return 0;
}
