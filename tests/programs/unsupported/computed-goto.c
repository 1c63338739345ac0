// expect: inconclusive
// A table of labels in a constant is not supported yet.
#include <stdio.h>

int main(void)
{
	static const unsigned char program[] = {0, 5, 1, 3, 2, 3};
	void *labels[] = {&&push, &&add, &&print, &&stop};
	const unsigned char *pc = program;
	int top = 0;
	goto *labels[*pc++];
push:
	top = *pc++;
	goto *labels[*pc++];
add:
	top += *pc++;
	goto *labels[*pc++];
print:
	printf("%d\n", top);
	goto *labels[*pc++];
stop:
	return 0;
}
