#include <any>
#include <iostream>
#include <optional>
#include <string>
#include <variant>

template <class... T> struct Overloaded : T... { using T::operator()...; };

static std::optional<int> half(int x)
{
	if (x % 2) return std::nullopt;
	return x / 2;
}

int main()
{
	std::variant<int, std::string, double> v = "text";
	auto show = Overloaded{[](int i) { return "int " + std::to_string(i); }, [](const std::string &s) { return "string " + s; }, [](double) { return std::string("double"); }};
	std::cout << std::visit(show, v) << v.index();
	v = 3;
	std::cout << std::visit(show, v) << std::get<int>(v) << (std::get_if<double>(&v) == nullptr) << '\n';
	v.emplace<std::string>(20, 'z');
	v = 2.5;
	std::cout << std::visit(show, v) << std::holds_alternative<double>(v) << '\n';
	std::cout << half(4).value() << half(3).value_or(-1) << half(8).transform([](int x) { return x + 1; }).value() << half(1).has_value() << '\n';
	std::any a = 1;
	a = std::string("any");
	std::cout << std::any_cast<std::string &>(a) << (std::any_cast<int>(&a) == nullptr) << a.has_value() << '\n';
}
