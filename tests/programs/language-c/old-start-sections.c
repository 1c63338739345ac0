// expect: verified
// broken: error kind=assertion
// Sections of old object files, whose functions are called from the last to the first, and one with a name of its own.
#include <assert.h>

static int at;

static void is(int step)
{
	assert(at == step);
	at++;
}

static void before(void) { is(0); }
static void first(void) { is(2); }
static void second(void) { is(1); }
static void last(void)
{
#ifdef BROKEN
	is(3);
#else
	is(4);
#endif
}

typedef void plain(void);
#define IN(name) __attribute__((section(name), used)) static

IN(".init_array.early") plain *const early = before;
IN(".ctors") plain *const start[] = {first, second};
IN(".dtors") plain *const end = last;

int main(void)
{
	is(3);
	return 0;
}
