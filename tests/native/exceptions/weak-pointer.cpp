#include <cstdio>
#include <memory>
int main() {
	std::weak_ptr<int> w;
	{ auto p = std::make_shared<int>(1); w = p; }
	try { std::shared_ptr<int> q(w); } catch (std::bad_weak_ptr &) { puts("bad weak pointer"); }
}
