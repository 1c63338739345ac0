// expect: error kind=assertion line=28
// flags: --memory-model tso
// sequential: error
#include "structure.h"

static atomic_uint version;
static atomic_int left, right;

static void *writer(void *argument)
{
	for (int value = 1; value <= 2; value++) {
		STORE(left, value);
		STORE(version, version + 1);
		STORE(right, value);
		STORE(version, version + 1);
	}
	return argument;
}

static void *reader(void *argument)
{
	for (;;) {
		unsigned before = LOAD(version);
		int l = LOAD(left), r = LOAD(right);
		if (before % 2 != 0 || LOAD(version) != before)
			continue;
		/* The left half of a pair is stored before its version says so. */
		assert(l == r);
		return argument;
	}
}

int main(void)
{
	in_parallel(writer, reader);
}
