// expect: error kind=abort line=5
int main(int count, char **arguments)
{
	if (count == 1)
		__asm__ volatile("int3");
	return arguments == 0;
}
