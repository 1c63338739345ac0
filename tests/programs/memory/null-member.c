// expect: error kind=null-dereference line=7
// The member's address is not zero, but the pointer is null all the same.
struct pair { int first, second; };

static int second(const struct pair *p)
{
	return p->second;
}

int main(void)
{
	return second(0);
}
