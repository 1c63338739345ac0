// expect: error kind=unreachable line=12
#include <utility>

enum class Color { red, green };

static int code(Color c)
{
	switch (c) {
	case Color::red: return 1;
	case Color::green: return 2;
	}
	std::unreachable();
}

int main()
{
	return code(static_cast<Color>(7)) == 0;
}
