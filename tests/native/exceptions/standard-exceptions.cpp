#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#include <map>
#include <bitset>
template <class F> static void test(F f) {
	try { f(); puts("nothing"); }
	catch (std::out_of_range &) { puts("out of range"); }
	catch (std::invalid_argument &) { puts("invalid argument"); }
	catch (std::length_error &) { puts("length error"); }
	catch (std::exception &) { puts("other"); }
}
int main() {
	std::vector<int> v(3);
	std::string s = "abc";
	std::map<int, int> m;
	test([&] { v.at(3); });
	test([&] { s.substr(5); });
	test([&] { m.at(1); });
	test([&] { std::stoi("x"); });
	test([&] { std::stoi("99999999999999"); });
	test([&] { v.reserve(v.max_size() + 1); });
	test([&] { std::bitset<4>(std::string("012")); });
}
