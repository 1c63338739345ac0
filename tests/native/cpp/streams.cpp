#include <iomanip>
#include <iostream>
#include <sstream>

struct Point { int x, y; };
std::ostream &operator<<(std::ostream &o, const Point &p) { return o << '(' << p.x << ", " << p.y << ')'; }
std::istream &operator>>(std::istream &i, Point &p) { return i >> p.x >> p.y; }

int main()
{
	std::ostringstream o;
	o << std::hex << std::showbase << 255 << ' ' << std::oct << 8 << ' ' << std::dec << std::setw(6) << std::setfill('*') << 42;
	o << ' ' << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::scientific << 12345.678 << ' ' << std::boolalpha << true;
	std::cout << o.str() << '\n';
	std::istringstream in("10 20 word 3.5 x");
	Point p;
	std::string w;
	double d;
	in >> p >> w >> d;
	int fails = 0;
	in >> fails;
	std::cout << p << ' ' << w << ' ' << d << ' ' << in.fail() << '\n';
	std::cout << std::left << std::setw(8) << "left" << '|' << std::right << std::setw(8) << "right" << '|' << std::internal << std::setw(6) << -5 << '\n';
	std::cout << 1e100 << ' ' << 0.1f << ' ' << 1.0 << ' ' << 'c' << ' ' << 1234567.0 << ' ' << -0.0 << '\n';
	std::stringstream lines("a\nb\n\nc");
	for (std::string l; std::getline(lines, l);) std::cout << '[' << l << ']';
	std::cout << std::endl;
	return 3;
}
