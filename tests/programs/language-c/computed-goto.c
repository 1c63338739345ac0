// expect: verified
// Labels in a constant table, in a local one, and as differences; each function has labels of its
// own.
#include <assert.h>

enum { PUSH, ADD, DUPLICATE, STOP };

static int run(const unsigned char *pc)
{
	static const void *const labels[] = {&&push, &&add, &&duplicate, &&stop};
	int stack[4], top = 0;
	goto *labels[*pc++];
push:
	stack[top++] = *pc++;
	goto *labels[*pc++];
add:
	top--;
	stack[top - 1] += stack[top];
	goto *labels[*pc++];
duplicate:
	stack[top] = stack[top - 1];
	top++;
	goto *labels[*pc++];
stop:
	return stack[top - 1];
}

static int chosen(int second)
{
	void *labels[] = {&&one, &&two};
	goto *labels[second];
one:
	return 1;
two:
	return 2;
}

static int relative(int i)
{
	static const int offsets[] = {&&a - &&a, &&b - &&a, &&c - &&a};
	goto *(&&a + offsets[i]);
a:
	return 10;
b:
	return 20;
c:
	return 30;
}

int main(void)
{
	static const unsigned char program[] = {PUSH, 5, PUSH, 3, ADD, DUPLICATE, ADD, STOP};
	assert(run(program) == 16);
	assert(chosen(0) == 1 && chosen(1) == 2);
	assert(relative(0) == 10 && relative(1) == 20 && relative(2) == 30);
	return 0;
}
