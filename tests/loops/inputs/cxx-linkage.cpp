// expect: nonterminating line=8
// C++ declares inputs without extern "C".
int __VERIFIER_nondet_int();

int main()
{
	int x = __VERIFIER_nondet_int();
	while (x > 0)
		x -= x != 77;
}
