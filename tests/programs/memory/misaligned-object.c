// expect: verified
// Packed members are accessed byte by byte where need be.
#include <assert.h>
#include <stdint.h>

struct __attribute__((packed)) record { uint8_t tag; uint32_t value; uint16_t check; };

int main(void)
{
	struct record r = {1, 0xdeadbeef, 7};
	assert(sizeof r == 7);
	r.value++;
	assert(r.value == 0xdeadbef0 && r.tag == 1 && r.check == 7);
	return 0;
}
