// expect: verified
// broken: error kind=undefined-value line=43
// Structures with padding, or with members that have no value yet, are passed in registers.
#include <assert.h>
#include <stdbool.h>

int __VERIFIER_nondet_int(void);

struct answer {
	int value;
	bool ok;
};

struct three {
	short a;
	char b;
	int c;
};

static struct answer ask(void)
{
	struct answer answer;
	answer.value = __VERIFIER_nondet_int();
#ifndef BROKEN
	answer.ok = true;
#endif
	return answer;
}

static struct three twist(struct three it)
{
	it.c = it.a + it.b;
	return it;
}

int main(void)
{
	struct answer answer = ask();
	struct three it;
	it.a = __VERIFIER_nondet_int();
	it.b = 3;
	it = twist(it);
	if (answer.ok && answer.value > 3)
		assert(answer.value >= 4);
	assert(it.c == it.a + 3);
	return 0;
}
