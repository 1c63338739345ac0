// expect: verified
/* A pointer that is not aligned is a number to the machine; it names its object all the same. */
#include <assert.h>
#include <stdlib.h>

static struct __attribute__((packed)) {
	char tag;
	int *place;
} packed;

int main(void)
{
	int *first = malloc(sizeof *first);
	packed.place = malloc(sizeof *packed.place);
	*packed.place = 3;
	free(first);
	assert(*packed.place == 3);
	free(packed.place);
}
