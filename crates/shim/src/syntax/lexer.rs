//! Text to tokens.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name or a keyword.
    Word(String),
    /// A number.
    Int(u64),
    /// A text in quotation marks.
    Str(String),
    /// An operator or a separator.
    Punct(&'static str),
    /// The end of the file.
    End,
}

/// The words that are no names.
pub const KEYWORDS: &[&str] = &[
    "chan", "next", "par", "if", "else", "while", "do", "for", "switch", "case", "default",
    "break", "continue", "return", "try", "catch", "throw", "struct", "void", "bool", "true",
    "false",
];

const PUNCTUATION: &[&str] = &[
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "{", "}", "(", ")", "[", "]", ";", ",", ".", "?", ":", "=", "+",
    "-", "*", "/", "%", "<", ">", "!", "~", "&", "|", "^",
];

/// Returns the tokens of a text. Adds a diagnostic for what cannot be read, and omits it.
pub fn tokens(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Token, Span)> {
    let mut lexer = Lexer {
        text,
        at: 0,
        diagnostics,
        out: Vec::new(),
    };
    while lexer.skip_blank() {
        lexer.token();
    }
    let end = Span::new(text.len(), text.len());
    lexer.out.push((Token::End, end));
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<(Token, Span)>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Skips spaces and comments; false at the end of the text.
    fn skip_blank(&mut self) -> bool {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(inside) = trimmed.strip_prefix("/*") {
                match inside.find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        let span = Span::new(self.at, self.at + 2);
                        self.diagnostics.push(
                            Diagnostic::error(span, "this comment has no end", "begins here")
                                .help("close it with `*/`"),
                        );
                        self.at = self.text.len();
                    }
                }
            } else {
                return !trimmed.is_empty();
            }
        }
    }

    fn token(&mut self) {
        let start = self.at;
        let first = self.rest().chars().next().expect("not at the end");
        let token = if first.is_ascii_alphabetic() || first == '_' {
            Some(Token::Word(
                self.take(|c| c.is_ascii_alphanumeric() || c == '_'),
            ))
        } else if first.is_ascii_digit() {
            self.number()
        } else if first == '"' {
            self.string()
        } else if first == '\'' {
            self.character()
        } else if let Some(found) = PUNCTUATION.iter().find(|p| self.rest().starts_with(**p)) {
            self.at += found.len();
            Some(Token::Punct(found))
        } else {
            self.at += first.len_utf8();
            let span = Span::new(start, self.at);
            let message = format!("`{first}` has no meaning here");
            self.diagnostics
                .push(Diagnostic::error(span, message, "this character").help("take it out"));
            None
        };
        if let Some(token) = token {
            self.out.push((token, Span::new(start, self.at)));
        }
    }

    fn take(&mut self, keep: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let taken = rest[..length].to_string();
        self.at += length;
        taken
    }

    fn number(&mut self) -> Option<Token> {
        let start = self.at;
        let text = self
            .take(|c| c.is_ascii_alphanumeric() || c == '_')
            .replace('_', "");
        let value = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => match text.strip_prefix("0b").or(text.strip_prefix("0B")) {
                Some(digits) => u64::from_str_radix(digits, 2),
                None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(&text, 8),
                None => text.parse(),
            },
        };
        match value {
            Ok(value) => Some(Token::Int(value)),
            Err(_) => {
                let span = Span::new(start, self.at);
                self.diagnostics.push(
                    Diagnostic::error(
                        span,
                        format!("`{text}` is not a number of at most 64 bits"),
                        "this number",
                    )
                    .help("write decimal digits, 0x and hexadecimal ones, 0b and binary ones, or 0 and octal ones"),
                );
                Some(Token::Int(0))
            }
        }
    }

    fn string(&mut self) -> Option<Token> {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Some(Token::Str(value));
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, escaped)) => value.push(escape(escaped)),
                    None => break,
                },
                other => value.push(other),
            }
        }
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += line;
        let span = Span::new(start, self.at);
        self.diagnostics.push(
            Diagnostic::error(span, "this text has no end", "begins here")
                .help("close it with `\"` on the same line"),
        );
        Some(Token::Str(value))
    }

    fn character(&mut self) -> Option<Token> {
        let start = self.at;
        let rest: Vec<char> = self.rest().chars().take(4).collect();
        let (value, length) = match rest[..] {
            [_, '\\', escaped, '\''] => (escape(escaped), 3 + escaped.len_utf8()),
            [_, plain, '\'', ..] => (plain, 2 + plain.len_utf8()),
            _ => {
                self.at += 1;
                let span = Span::new(start, self.at);
                self.diagnostics.push(
                    Diagnostic::error(span, "this character has no end", "begins here")
                        .help("write one character between `'`"),
                );
                return None;
            }
        };
        self.at += length;
        Some(Token::Int(value as u64))
    }
}

/// What a character after a backslash stands for.
fn escape(character: char) -> char {
    match character {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        other => other,
    }
}
