#include <iostream>
#include <memory>
#include <vector>

struct Tracked {
	const char *name;
	explicit Tracked(const char *n) : name(n) { std::cout << '+' << name; }
	Tracked(const Tracked &) = delete;
	~Tracked() { std::cout << '-' << name; }
};

int main()
{
	auto a = std::make_unique<Tracked>("a");
	auto b = std::make_shared<Tracked>("b");
	std::weak_ptr<Tracked> w = b;
	{
		auto c = b;
		std::cout << c.use_count() << w.expired();
	}
	std::unique_ptr<Tracked, void (*)(Tracked *)> d(new Tracked("d"), [](Tracked *t) { std::cout << '~'; delete t; });
	std::vector<std::unique_ptr<Tracked>> v;
	v.push_back(std::move(a));
	v.push_back(std::make_unique<Tracked>("e"));
	v.erase(v.begin());
	b.reset();
	std::cout << w.expired() << (w.lock() == nullptr) << '\n';
	std::shared_ptr<int> alias(std::make_shared<std::pair<int, int>>(1, 2), nullptr);
	std::cout << (alias.get() == nullptr) << '\n';
}
