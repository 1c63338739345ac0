//! The names in capitals that C or C++ text mentions, comments and literals left out.

/// What raw strings begin with.
const RAW: &[&str] = &["R", "LR", "uR", "UR", "u8R"];

/// Whether programs choose such names for their own macros. No standard header makes up one from
/// parts.
pub(crate) fn is_in_capitals(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(plain)
}

/// The names in capitals, as often as they stand there. What may be a comment or a literal, and
/// is none, counts as code.
pub(crate) fn in_capitals(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(next) = rest.bytes().next() {
            if is_part_of_name(next) {
                let end = rest.bytes().position(|b| !is_part_of_name(b));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after_word(word, after);
                if is_in_capitals(word) {
                    return Some(word);
                }
            } else {
                rest = after_mark(rest);
            }
        }
        None
    })
}

fn is_part_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Behind a word: it may begin a raw string, or be a number whose digits `'` separates.
fn after_word<'t>(word: &str, after: &'t str) -> &'t str {
    if RAW.contains(&word)
        && let Some(raw) = after.strip_prefix('"')
        && let Some((delimiter, content)) = raw.split_once('(')
        && let Some((_, behind)) = content.split_once(&format!("){delimiter}\""))
    {
        return behind;
    }
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    match after.strip_prefix('\'') {
        Some(digits) if is_number => digits,
        _ => after,
    }
}

/// Behind a comment, a literal, or one character of anything else.
fn after_mark(text: &str) -> &str {
    let behind = |end: &str| text[2..].split_once(end).map_or("", |(_, after)| after);
    if text.starts_with("//") {
        // A backslash at its end continues a comment; its next line counts as code.
        return behind("\n");
    }
    if text.starts_with("/*") {
        return behind("*/");
    }
    let mut characters = text.chars();
    match characters.next() {
        Some(quote @ ('"' | '\'')) => after_literal(characters.as_str(), quote),
        _ => characters.as_str(),
    }
}

/// Behind a literal. One that its line does not end is none: an apostrophe after `#error`.
fn after_literal(content: &str, quote: char) -> &str {
    let mut characters = content.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            '\n' => return content,
            c if c == quote => return characters.as_str(),
            _ => {}
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use super::in_capitals;

    fn names(text: &str) -> Vec<&str> {
        in_capitals(text).collect()
    }

    #[test]
    fn comments_and_literals_are_left_out() {
        let text = "A /* B */ C // D\nE \"F\\\" G\" 'H' I u8R\"x(J )\" K)x\" L";
        assert_eq!(names(text), ["A", "C", "E", "I", "L"]);
    }

    #[test]
    fn only_raw_strings_are_raw() {
        assert_eq!(names("LR\"(A \" B)\" C"), ["LR", "C"]);
        assert_eq!(names("FOR\"a\" A (B)"), ["FOR", "A", "B"]);
        assert_eq!(names("R\"x(a\nA"), ["R", "A"]);
    }

    #[test]
    fn an_apostrophe_alone_begins_no_literal() {
        let text = "#error don't use A\n#if B == 1'000 && C\nx'y D\n";
        assert_eq!(names(text), ["A", "B", "C", "D"]);
    }

    #[test]
    fn only_names_in_capitals_count() {
        assert_eq!(names("a _A __A A_1 Ab A1 1A"), ["A_1", "A1"]);
    }
}
