// expect: verified
// environment: 3 main gets no arguments (--arg gives some)
int main(int count, char **arguments)
{
	if (count == 5)
		__asm__ volatile("int3");
	return arguments == 0;
}
