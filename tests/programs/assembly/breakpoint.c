// expect: error kind=abort line=6
// environment: 3 main gets no arguments (--arg gives some)
int main(int count, char **arguments)
{
	if (count == 1)
		__asm__ volatile("int3");
	return arguments == 0;
}
