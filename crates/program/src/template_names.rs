//! Names of C++ templates as one writes them: `std::vector<int>`, `std::string`.
//!
//! Debug information and symbols spell out default arguments and the namespace of libc++'s version:
//! `std::__1::vector<int, std::__1::allocator<int> >`. Arguments are left out only of the standard
//! library's templates that have these defaults, so that no two types get the same name.

/// Returns a name with the templates of the standard library in it as a program writes them.
pub fn shortened(name: &str) -> String {
    let name = name.replace("std::__1::", "std::");
    if !name.contains('<') {
        return name;
    }
    let mut rest = name.as_str();
    // What is not a name of templates stays as it is.
    read(&mut rest, &[]).unwrap_or(name.clone())
}

/// Reads up to one of these characters, or to the end, and shortens what it reads; `None` if a
/// bracket is never closed.
fn read(rest: &mut &str, ends: &[char]) -> Option<String> {
    let mut text = String::new();
    while let Some(next) = rest.chars().next() {
        if ends.contains(&next) {
            break;
        }
        if let Some(operator) = operator(&text, rest) {
            text.push_str(operator);
            *rest = &rest[operator.len()..];
            continue;
        }
        *rest = &rest[next.len_utf8()..];
        let close = match next {
            '<' => '>',
            '(' => ')',
            '[' => ']',
            '{' => '}',
            _ => {
                text.push(next);
                continue;
            }
        };
        let mut arguments = Vec::new();
        loop {
            arguments.push(read(rest, &[',', close])?.trim().to_owned());
            match rest.chars().next()? {
                ',' => *rest = &rest[1..],
                _ => break,
            }
        }
        *rest = &rest[1..];
        match next {
            '<' => text = template(text, arguments),
            _ => text = format!("{text}{next}{}{close}", arguments.join(", ")),
        }
    }
    Some(text)
}

/// The symbol of an operator, if it is next: a bracket in it opens nothing.
fn operator<'r>(before: &str, rest: &'r str) -> Option<&'r str> {
    let starts_word = |name: &str| !name.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_after = before.strip_suffix("operator").is_some_and(starts_word);
    let symbols = [
        "<=>", "<<=", ">>=", "<<", ">>", "<=", ">=", "->*", "->", "<", ">", "()", "[]",
    ];
    let found = symbols
        .into_iter()
        .find(|it| is_after && rest.starts_with(it))?;
    Some(&rest[..found.len()])
}

/// A template with its arguments, as one writes it. `name` is all that comes before.
fn template(name: String, mut arguments: Vec<String>) -> String {
    let start = name.rfind(|c: char| !c.is_alphanumeric() && c != '_');
    let (scope, own) = name.split_at(start.map_or(0, |at| at + 1));
    if scope.ends_with("std::") {
        while arguments.len() > 1 && arguments.last().is_some_and(|it| is_default(own, it)) {
            arguments.pop();
        }
        if let ([_], Some(alias)) = (&arguments[..], alias(own, &arguments)) {
            return format!("{scope}{alias}");
        }
    }
    format!("{name}<{}>", arguments.join(", "))
}

/// Templates of which a default argument is known, and how it begins.
const DEFAULTS: [(&[&str], &[&str]); 6] = [
    (
        &["vector", "deque", "list", "forward_list"],
        &["std::allocator<"],
    ),
    (
        &[
            "basic_string",
            "basic_stringbuf",
            "basic_ostringstream",
            "basic_istringstream",
            "basic_stringstream",
        ],
        &["std::char_traits<", "std::allocator<"],
    ),
    (
        &[
            "basic_string_view",
            "basic_ostream",
            "basic_istream",
            "basic_iostream",
            "basic_streambuf",
            "basic_ios",
            "basic_filebuf",
            "basic_ofstream",
            "basic_ifstream",
            "basic_fstream",
        ],
        &["std::char_traits<"],
    ),
    (
        &["set", "multiset", "map", "multimap"],
        &["std::less<", "std::allocator<"],
    ),
    (
        &[
            "unordered_set",
            "unordered_multiset",
            "unordered_map",
            "unordered_multimap",
        ],
        &["std::hash<", "std::equal_to<", "std::allocator<"],
    ),
    (
        &["unique_ptr", "queue", "stack", "priority_queue"],
        &[
            "std::default_delete<",
            "std::deque<",
            "std::vector<",
            "std::less<",
        ],
    ),
];

/// Whether an argument of a template is what it is by default.
fn is_default(template: &str, argument: &str) -> bool {
    let is_it = |starts: &[&str]| starts.iter().any(|start| argument.starts_with(start));
    let mut known = DEFAULTS.iter();
    known.any(|(templates, starts)| templates.contains(&template) && is_it(starts))
}

/// The name of its own that a template of the standard library has with these arguments.
fn alias(template: &str, arguments: &[String]) -> Option<String> {
    let own = template.strip_prefix("basic_")?;
    let known = DEFAULTS
        .iter()
        .any(|(templates, _)| templates.contains(&template));
    let letter = match (arguments.first()?.as_str(), own) {
        _ if !known => return None,
        ("char", _) => "",
        ("wchar_t", _) => "w",
        ("char8_t", "string" | "string_view") => "u8",
        ("char16_t", "string" | "string_view") => "u16",
        ("char32_t", "string" | "string_view") => "u32",
        _ => return None,
    };
    Some(format!("{letter}{own}"))
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn defaults_are_left_out_and_aliases_used() {
        let names = [
            ("main", "main"),
            (
                "std::__1::vector<int, std::__1::allocator<int> >",
                "std::vector<int>",
            ),
            (
                "std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >",
                "std::string",
            ),
            (
                "std::map<std::basic_string<char, std::char_traits<char>, std::allocator<char>>, \
                 std::vector<long, std::allocator<long>>, std::less<std::basic_string<char, \
                 std::char_traits<char>, std::allocator<char>>>, std::allocator<std::pair<const \
                 std::basic_string<char, std::char_traits<char>, std::allocator<char>>, \
                 std::vector<long, std::allocator<long>>>>>::operator[]",
                "std::map<std::string, std::vector<long>>::operator[]",
            ),
            (
                "std::unique_ptr<Node, std::default_delete<Node>>::operator->",
                "std::unique_ptr<Node>::operator->",
            ),
            (
                "std::basic_string_view<wchar_t, std::char_traits<wchar_t> >::size",
                "std::wstring_view::size",
            ),
            (
                "std::function<void (std::vector<int, std::allocator<int>>)>::operator()",
                "std::function<void (std::vector<int>)>::operator()",
            ),
        ];
        for (long, short) in names {
            assert_eq!(shortened(long), short);
        }
    }

    #[test]
    fn what_a_program_writes_itself_stays() {
        let names = [
            "Pool<int, std::allocator<int>>",
            "own::vector<int, std::allocator<int>>",
            "f<(1<<2)>",
            "std::vector<int, Arena<int>>",
            "std::tuple<int, std::allocator<int>>",
            "std::set<int, std::greater<int>>",
            "operator<",
            "operator<<",
            "operator<=><int>",
            "a::operator<<<int>",
            "Queue<(anonymous namespace)::Item>::push",
            "std::array<char, 8>",
            "f<(Colour)2>",
            "less<a->b",
        ];
        for name in names {
            assert_eq!(shortened(name), name);
        }
    }
}
