// stdin: 3 4 five\nrest of line\n
#include <iostream>
#include <string>

int main()
{
	int a, b;
	std::string w, l;
	std::cin >> a >> b >> w;
	std::getline(std::cin, l);
	std::getline(std::cin, l);
	std::cout << a * b << w << l << '\n';
	std::cout << !std::getline(std::cin, l) << std::cin.eof() << '\n';
}
