// expect: verified
// broken: error kind=out-of-bounds line=23
// A vector of as many elements as an input says.
#include <cassert>
#include <vector>

extern "C" int __VERIFIER_nondet_int(void);
extern "C" void __VERIFIER_assume(int);

int main()
{
	int n = __VERIFIER_nondet_int();
	__VERIFIER_assume(0 < n && n <= 80);
	std::vector<int> squares(n);
	int *numbers = new int[n];
	for (int i = 0; i < n; i++)
		squares[i] = numbers[i] = i * i;
#ifdef BROKEN
	int last = n;
#else
	int last = n - 1;
#endif
	assert(numbers[last] == squares.back());
	delete[] numbers;
}
