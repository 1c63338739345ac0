//! Tokens to a syntax tree, by recursive descent.
//!
//! After a mistake the parser continues at the next statement or definition, so that all mistakes
//! of a file are found at once.

use super::lexer::{KEYWORDS, Token, tokens};
use super::tree::*;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::HashSet;

/// A part could not be read; the reason has been recorded.
pub(super) struct Failed;
pub(super) type Parsed<T> = Result<T, Failed>;

/// Statements and expressions nested deeper than this are refused, to keep the stack.
const MAX_DEPTH: u32 = 200;
/// An expression may not have more operators that follow each other, as in `a + b + c`: each makes
/// its tree deeper.
const MAX_CHAIN: u32 = 1_000;

/// Parses a program. Adds a diagnostic for each mistake.
pub fn parse(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Program {
    let tokens = tokens(text, diagnostics);
    let structs = struct_names(&tokens);
    let mut parser = Parser {
        tokens,
        at: 0,
        diagnostics,
        structs,
        depth: 0,
        chain: 0,
        gave_up: false,
    };
    let mut program = parser.program();
    program.whole = !parser.gave_up;
    program
}

fn struct_names(tokens: &[(Token, Span)]) -> HashSet<String> {
    let pairs = tokens.windows(2);
    pairs
        .filter_map(|pair| match (&pair[0].0, &pair[1].0) {
            (Token::Word(first), Token::Word(name)) if first == "struct" => Some(name.clone()),
            _ => None,
        })
        .collect()
}

pub(super) struct Parser<'a> {
    tokens: Vec<(Token, Span)>,
    pub(super) at: usize,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    structs: HashSet<String>,
    depth: u32,
    chain: u32,
    gave_up: bool,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    pub(super) fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(super) fn is(&self, text: &str) -> bool {
        match self.peek() {
            Token::Word(word) => word == text,
            Token::Punct(punct) => *punct == text,
            _ => false,
        }
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.is(text) {
            let span = self.span();
            self.advance();
            return Ok(span);
        }
        let found = self.found();
        let after = self.previous_span();
        let span = if text == ";" {
            Span {
                start: after.end.saturating_sub(1),
                end: after.end,
            }
        } else {
            self.span()
        };
        let label = if text == ";" {
            "after this".to_string()
        } else {
            format!("found {found}")
        };
        self.fail(Diagnostic::error(
            span,
            format!("expected `{text}`, found {found}"),
            label,
        ))
    }

    fn found(&self) -> String {
        match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Str(_) => "a text".into(),
            Token::Punct(punct) => format!("`{punct}`"),
            Token::End => "the end of the file".into(),
        }
    }

    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Err(Failed)
    }

    /// Reports what makes the rest of the file not worth reading, and goes to its end.
    fn give_up<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        let failed = self.fail(diagnostic);
        self.gave_up = true;
        self.at = self.tokens.len() - 1;
        failed
    }

    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let found = self.found();
        let span = self.span();
        self.fail(Diagnostic::error(
            span,
            format!("expected {wanted}, found {found}"),
            format!("{wanted} belongs here"),
        ))
    }

    pub(super) fn ident(&mut self, wanted: &str) -> Parsed<Ident> {
        match self.peek().clone() {
            Token::Word(name) if !KEYWORDS.contains(&name.as_str()) => {
                let span = self.span();
                self.advance();
                Ok(Ident { name, span })
            }
            _ => self.unexpected(wanted),
        }
    }

    /// Runs a part one level deeper, unless it is nested beyond reason.
    pub(super) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let error = Diagnostic::error(
                self.span(),
                format!("nested deeper than {MAX_DEPTH} levels"),
                "too deep here, and not read further",
            );
            return self.give_up(error.help("move the inner part into a function"));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Notes that an operator follows another in an expression.
    pub(super) fn link(&mut self) -> Parsed<()> {
        self.chain += 1;
        if self.chain <= MAX_CHAIN {
            return Ok(());
        }
        let error = Diagnostic::error(
            self.previous_span(),
            format!("more than {MAX_CHAIN} operators in one expression"),
            "too long here, and not read further",
        );
        self.give_up(error.help("compute a part of it before, into a variable"))
    }

    /// Begins a statement, whose expressions are counted from zero.
    pub(super) fn unchain(&mut self) {
        self.chain = 0;
    }

    fn program(&mut self) -> Program {
        let mut program = Program::default();
        while *self.peek() != Token::End {
            let start = self.at;
            if self.definition(&mut program).is_err() && !self.gave_up {
                program.broken.extend(self.defined_at(start));
                self.skip_definition(start);
            }
        }
        program
    }

    fn definition(&mut self, program: &mut Program) -> Parsed<()> {
        if self.is("struct") && matches!(self.peek_at(2), Token::Punct("{")) {
            let def = self.struct_def()?;
            program.structs.push(def);
        } else {
            let def = self.function()?;
            program.functions.push(def);
        }
        Ok(())
    }

    /// The name that a definition gives: the last word before its parameters or fields.
    fn defined_at(&self, start: usize) -> Option<String> {
        let words = self.tokens[start..]
            .iter()
            .map_while(|(token, _)| match token {
                Token::Word(word) => Some(word),
                _ => None,
            });
        words.last().cloned()
    }

    /// Continues behind the block in which the mistake lies.
    fn skip_definition(&mut self, start: usize) {
        self.at = start;
        let mut depth = 0;
        while *self.peek() != Token::End {
            match self.advance() {
                Token::Punct("{") => depth += 1,
                Token::Punct("}") => {
                    depth -= 1;
                    if depth <= 0 {
                        self.eat(";");
                        break;
                    }
                }
                Token::Punct(";") if depth == 0 => break,
                _ => {}
            }
        }
    }

    fn struct_def(&mut self) -> Parsed<StructDef> {
        self.expect("struct")?;
        let name = self.ident("the structure's name")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.is("}") {
            let ty = self.type_syntax()?;
            loop {
                fields.push((ty.clone(), self.declarator(false)?));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        self.expect("}")?;
        self.eat(";");
        Ok(StructDef { name, fields })
    }

    fn function(&mut self) -> Parsed<FunctionDef> {
        let result = self.type_syntax()?;
        let name = self.ident("the function's name")?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.is(")") {
            let chan = self.eat("chan");
            let ty = self.type_syntax()?;
            let by_ref = self.eat("&");
            params.push(Param {
                chan,
                ty,
                by_ref,
                declarator: self.declarator(false)?,
            });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        if !self.is("{") {
            return self.unexpected("the function's body");
        }
        let body = self.block()?;
        Ok(FunctionDef {
            name,
            result,
            params,
            body,
        })
    }

    /// Whether a type begins here.
    pub(super) fn at_type(&self) -> bool {
        match self.peek() {
            Token::Word(word) => {
                matches!(word.as_str(), "void" | "bool" | "struct" | "chan")
                    || integer_type(word).is_some()
                    || (self.structs.contains(word) && matches!(self.peek_at(1), Token::Word(_)))
            }
            _ => false,
        }
    }

    pub(super) fn type_syntax(&mut self) -> Parsed<TypeSyntax> {
        let start = self.span();
        let Token::Word(word) = self.peek().clone() else {
            return self.unexpected("a type");
        };
        let kind = match word.as_str() {
            "void" => TypeKind::Void,
            "bool" => TypeKind::Bool,
            "struct" => {
                self.advance();
                let name = self.ident("the structure's name")?;
                return Ok(TypeSyntax {
                    kind: TypeKind::Struct(name.name),
                    span: start.to(name.span),
                });
            }
            "int" if matches!(self.peek_at(1), Token::Punct("<")) => {
                self.advance();
                self.advance();
                let low = self.binary(8)?;
                self.expect(",")?;
                let high = self.binary(8)?;
                let end = self.expect(">")?;
                return Ok(TypeSyntax {
                    kind: TypeKind::Range(Box::new(low), Box::new(high)),
                    span: start.to(end),
                });
            }
            other => match integer_type(other) {
                Some((bits, signed)) if (1..=64).contains(&bits) => TypeKind::Int { bits, signed },
                Some((bits, _)) => {
                    let error = Diagnostic::error(
                        start,
                        format!("integers of {bits} bits do not exist"),
                        "this type",
                    );
                    return self.fail(error.help("use 1 to 64 bits"));
                }
                None if KEYWORDS.contains(&other) => return self.unexpected("a type"),
                None => TypeKind::Struct(word),
            },
        };
        self.advance();
        Ok(TypeSyntax { kind, span: start })
    }

    pub(super) fn declarator(&mut self, with_init: bool) -> Parsed<Declarator> {
        let name = self.ident("a name")?;
        let mut dims = Vec::new();
        while self.eat("[") {
            dims.push(self.expression()?);
            self.link()?;
            self.expect("]")?;
        }
        let init = if with_init && self.eat("=") {
            Some(self.initialiser()?)
        } else {
            None
        };
        Ok(Declarator { name, dims, init })
    }

    fn initialiser(&mut self) -> Parsed<Initialiser> {
        if !self.is("{") {
            return Ok(Initialiser::Expr(self.assignment()?));
        }
        let start = self.expect("{")?;
        let mut items = Vec::new();
        while !self.is("}") {
            items.push(self.nested(|p| p.initialiser())?);
            if !self.eat(",") {
                break;
            }
        }
        let end = self.expect("}")?;
        Ok(Initialiser::List(items, start.to(end)))
    }
}

/// Width and sign of a type like `int`, `uint`, `int32`, `uint15`.
fn integer_type(word: &str) -> Option<(u8, bool)> {
    let (digits, signed) = match word.strip_prefix("uint") {
        Some(digits) => (digits, false),
        None => (word.strip_prefix("int")?, true),
    };
    match digits {
        "" => Some((32, signed)),
        _ if digits.bytes().all(|b| b.is_ascii_digit()) => {
            Some((digits.parse().unwrap_or(u8::MAX), signed))
        }
        _ => None,
    }
}
