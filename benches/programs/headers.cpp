// A program that takes in much of the library, for how long it takes to start.
#include <format>
#include <iostream>
#include <regex>
#include <string>

int main()
{
    std::regex date("([0-9]+)-([0-9]+)");
    std::smatch parts;
    std::string text = "2026-11";
    if (std::regex_match(text, parts, date))
        std::cout << std::format("{} of {}\n", parts[2].str(), parts[1].str());
}
