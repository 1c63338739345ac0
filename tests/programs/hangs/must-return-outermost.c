// expect: verified
// broken: error kind=hang line=22 message="can never return from visit"
// All activations of a recursive function return: the outermost one waits for its own level. With
// -DBROKEN: It waits for the level of an inner one, which has returned before.
#include <impasse/section.h>
#include <stdatomic.h>

#ifdef BROKEN
#define AWAITED 1
#else
#define AWAITED 2
#endif

static atomic_int level = 2;

static void visit(int depth)
{
	IMPASSE_MUST_RETURN;
	if (depth > 0)
		visit(depth - 1);
	level = depth;
	while (depth == 2 && level != AWAITED) {
	}
}

int main(void)
{
	for (;;)
		visit(2);
}
