#include <cstdio>
enum class E { a, b };
enum F { f };
int main() {
	try { throw E::b; } catch (F) { puts("F"); } catch (E e) { printf("E %d\n", (int)e); }
	try { throw f; } catch (int) { puts("int"); } catch (F) { puts("F"); }
}
