#include <cstdio>
#include <memory>
int main() {
	auto p = std::make_shared<int>(4);
	try { throw p; } catch (std::shared_ptr<int> q) { printf("%d %ld\n", *q, q.use_count()); }
	printf("%ld\n", p.use_count());
}
