// expect: verified
// flags: --memory-model tso
// sequential: verified
#include "structure.h"

static atomic_uint version;
static atomic_int left, right;

static void *writer(void *argument)
{
	for (int value = 1; value <= 2; value++) {
		STORE(version, version + 1);
		STORE(left, value);
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
		if (before % 2 == 0 && LOAD(version) == before) {
			assert(l == r);
			return argument;
		}
	}
}

int main(void)
{
	in_parallel(writer, reader);
}
