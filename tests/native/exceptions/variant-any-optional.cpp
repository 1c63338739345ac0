#include <cstdio>
#include <any>
#include <variant>
#include <optional>
#include <functional>
int main() {
	try { std::variant<int, char> v = 1; std::get<char>(v); } catch (std::bad_variant_access &) { puts("variant"); }
	try { std::any a = 1; std::any_cast<char>(a); } catch (std::bad_any_cast &) { puts("any"); }
	try { std::optional<int> o; (void)o.value(); } catch (std::bad_optional_access &) { puts("optional"); }
	try { std::function<void()> f; f(); } catch (std::bad_function_call &) { puts("function"); }
}
