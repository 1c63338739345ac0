// expect: verified
// broken: inconclusive reason="inline assembly" line=17
// Asking whether Valgrind runs the program has the answer that the program itself gives.
#include <assert.h>
#include <stdint.h>

static uint64_t ask(uint64_t otherwise, uint64_t question)
{
	volatile uint64_t request[6] = {question};
	uint64_t answer;
#ifdef BROKEN
#define LAST "50"
#else
#define LAST "51"
#endif
	/* The register that is rotated ends as it was, unless broken. */
	__asm__ volatile("rolq $3, %%rdi ; rolq $13, %%rdi\n\t"
		"rolq $61, %%rdi ; rolq $" LAST ", %%rdi\n\txchgq %%rbx,%%rbx"
		: "=d"(answer) : "a"(&request[0]), "0"(otherwise) : "cc", "memory");
	return answer;
}

int main(void)
{
	assert(ask(0, 0x1001) == 0);
	assert(ask(7, 0x1002) == 7);
	return 0;
}
