#include <cstdio>
#include <string>
static std::string f(int n) { try { if (n) throw n; return "none"; } catch (int) { return std::string(40, 'x'); } }
int main() { puts(f(0).c_str()); puts(f(1).c_str()); }
