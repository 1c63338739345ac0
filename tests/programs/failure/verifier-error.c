// expect: error kind=assertion line=6
void __VERIFIER_error(void);

int main(void)
{
	__VERIFIER_error();
	return 0;
}
