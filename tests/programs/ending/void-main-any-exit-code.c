// expect: verified
// clang: -w
// flags: --exit-code any
// The exit code of a program whose main returns nothing is unspecified, which is no error if any code is allowed.
int result;

void main(void)
{
	result = 1;
}
