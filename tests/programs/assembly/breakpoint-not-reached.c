// expect: verified
int main(int count, char **arguments)
{
	if (count == 5)
		__asm__ volatile("int3");
	return arguments == 0;
}
