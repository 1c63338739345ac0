// expect: inconclusive reason="__VERIFIER_nondet_int" line=8
// broken: verified
// The definition in C is not the function that C++ declares. With -DBROKEN: It is.
#ifdef BROKEN
extern "C"
#endif
int __VERIFIER_nondet_int();
int main() { return __VERIFIER_nondet_int() - 5; }
