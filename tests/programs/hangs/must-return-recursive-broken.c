// expect: error kind=hang line=14 message="can never return from visit"
// The inner activations return, the outermost one waits for what has come too early.
#include <impasse/section.h>
#include <stdatomic.h>

static atomic_int level = 2;

static void visit(int depth)
{
	IMPASSE_MUST_RETURN;
	if (depth > 0)
		visit(depth - 1);
	level = depth;
	while (depth == 2 && level != 1) {
	}
}

int main(void)
{
	for (;;)
		visit(2);
}
