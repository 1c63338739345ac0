// expect: verified
// flags: --memory-model tso
// sequential: verified
#include "structure.h"

struct settings {
	int depth, width;
};

static struct settings defaults = {1, 10};
static _Atomic(struct settings *) current = &defaults;

static void *publisher(void *argument)
{
	struct settings *next = malloc(sizeof *next);
	next->depth = 2;
	next->width = 20;
	STORE(current, next);
	return argument;
}

static void *reader(void *argument)
{
	for (int n = 0; n < 2; n++) {
		struct settings *settings = LOAD(current);
		assert(settings->width == 10 * settings->depth);
	}
	return argument;
}

int main(void)
{
	in_parallel(publisher, reader);
	free(current);
}
