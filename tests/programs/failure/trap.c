// expect: error kind=abort line=4
int main(void)
{
	__builtin_trap();
}
