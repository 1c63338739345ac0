#include <cstdio>
struct V {};
class P : V {};
struct Q : P {};
int main() {
	try { throw Q(); } catch (V &) { puts("wrong"); } catch (P &) { puts("P"); }
}
