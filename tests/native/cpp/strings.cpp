#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

int main()
{
	std::string s = "the quick brown fox";
	s += " jumps";
	std::cout << s.size() << ' ' << s.find("quick") << ' ' << s.substr(4, 5) << ' ' << s.rfind('o') << '\n';
	s.replace(0, 3, "a");
	s.insert(1, " very");
	s.erase(s.find(" jumps"));
	std::cout << s << '\n';
	std::string_view v = s;
	v.remove_prefix(2);
	std::cout << v.starts_with("very") << v.ends_with("x") << (v == "x") << v.substr(0, 4) << '\n';
	std::cout << std::to_string(42) + std::to_string(-7L) << ' ' << std::stoi("12") + std::stod("0.5") << '\n';
	std::string r(s.rbegin(), s.rend());
	std::transform(r.begin(), r.end(), r.begin(), ::toupper);
	std::cout << r << ' ' << (r < s) << ' ' << r.compare(s) / std::abs(r.compare(s)) << '\n';
	std::string u8 = "äöü", big(100, 'x');
	std::cout << u8.length() << big.find_first_not_of('x') % 7 << std::string(3, '-') << '\n';
}
