// expect: verified
// broken: error kind=abort line=12
// environment: 5 main gets no arguments (--arg gives some)
// broken-environment: 5 main gets no arguments (--arg gives some)
int main(int count, char **arguments)
{
#ifdef BROKEN
	if (count == 1)
#else
	if (count == 5)
#endif
		__asm__ volatile("int3");
	return arguments == 0;
}
