// expect: error kind=invalid-call line=7
static int code[4] = {0x90, 0x90, 0x90, 0xc3};

int main(void)
{
	void (*f)(void) = (void (*)(void))(void *)code;
	f();
	return 0;
}
