// Streams, constructors, thread-local destructors, files of C++.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <format>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Loud {
    const char *name;
    Loud(const char *n) : name(n) { std::cout << "+" << name << "\n"; }
    ~Loud() { std::cout << "-" << name << "\n"; }
};

static Loud global("global");
thread_local Loud local("local");

int main() {
    std::cout << local.name << "\n";
    std::map<std::string, std::vector<int>> table;
    for (int i = 9; i >= 0; i--)
        table[i % 2 ? "odd" : "even"].push_back(i * i);
    for (auto &[name, values] : table) {
        std::ranges::sort(values);
        std::cout << name << std::format(" {:>4} {:#x}", values.back(), values.size()) << "\n";
    }
    std::ofstream("/tmp/out") << 1.25 << ' ' << "text";
    std::ifstream in("/tmp/out");
    double number;
    std::string text;
    in >> number >> text;
    char digits[32];
    auto end = std::to_chars(digits, digits + 32, number).ptr;
    std::cout << std::string(digits, end) << " " << text << " " << std::filesystem::file_size("/tmp/out") << "\n";
    std::string line;
    std::getline(std::cin, line);
    std::random_device device("/dev/urandom");
    std::ostringstream hex;
    hex << std::hex << device();
    std::cout << line << " " << hex.str() << std::endl;
    return 0;
}
