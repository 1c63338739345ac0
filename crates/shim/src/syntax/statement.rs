//! The parser's statements.

use super::lexer::Token;
use super::parser::{Failed, Parsed, Parser};
use super::tree::*;
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Stmt> {
        let start = self.expect("{")?;
        let statements = self.statements(&["}"]);
        let end = self.expect("}")?;
        Ok(Stmt {
            kind: StmtKind::Block(statements),
            span: start.to(end),
        })
    }

    /// Statements up to one of the given words; a wrong one is reported and left out.
    fn statements(&mut self, until: &[&str]) -> Vec<Stmt> {
        let mut statements = Vec::new();
        while !until.iter().any(|text| self.is(text)) && *self.peek() != Token::End {
            let start = self.at;
            match self.nested(|p| p.statement()) {
                Ok(statement) => statements.push(statement),
                Err(Failed) => self.skip_statement(start),
            }
        }
        statements
    }

    fn skip_statement(&mut self, start: usize) {
        if self.at == start {
            self.advance();
        }
        let mut depth = 0;
        loop {
            match self.peek() {
                Token::End => return,
                Token::Punct("{") => depth += 1,
                Token::Punct("}") if depth == 0 => return,
                Token::Punct("}") => depth -= 1,
                Token::Punct(";") if depth == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let first = self.unit()?;
        if !self.is("par") {
            return Ok(first);
        }
        let start = first.span;
        let mut branches = vec![first];
        while self.eat("par") {
            branches.push(self.nested(|p| p.unit())?);
        }
        for branch in &branches {
            if let StmtKind::Declare { .. } = branch.kind {
                self.diagnostics.push(
                    Diagnostic::error(
                        branch.span,
                        "a declaration cannot run in parallel",
                        "this branch",
                    )
                    .help("declare the variable before the `par`, or put the branch in braces"),
                );
            }
        }
        Ok(Stmt {
            kind: StmtKind::Par(branches),
            span: start.to(self.previous_span()),
        })
    }

    fn unit(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        self.unchain();
        let kind = self.unit_kind()?;
        Ok(Stmt {
            kind,
            span: start.to(self.previous_span()),
        })
    }

    fn unit_kind(&mut self) -> Parsed<StmtKind> {
        if self.is("{") {
            return Ok(self.block()?.kind);
        }
        if self.at_type() {
            return self.declaration();
        }
        let Token::Word(word) = self.peek().clone() else {
            if self.eat(";") {
                return Ok(StmtKind::Empty);
            }
            return self.expression_statement();
        };
        match word.as_str() {
            "if" | "while" | "do" | "for" | "switch" => self.nested(|p| p.control(&word)),
            "break" | "continue" => {
                self.advance();
                self.expect(";")?;
                Ok(if word == "break" {
                    StmtKind::Break
                } else {
                    StmtKind::Continue
                })
            }
            "return" => {
                self.advance();
                let value = if self.is(";") {
                    None
                } else {
                    Some(self.expression()?)
                };
                self.expect(";")?;
                Ok(StmtKind::Return(value))
            }
            "try" => {
                self.advance();
                let body = Box::new(self.nested(|p| p.statement())?);
                self.expect("catch")?;
                self.expect("(")?;
                let name = self.ident("an exception's name")?;
                self.expect(")")?;
                let handler = Box::new(self.nested(|p| p.statement())?);
                Ok(StmtKind::Try(body, name, handler))
            }
            "throw" => {
                self.advance();
                let name = self.ident("an exception's name")?;
                self.expect(";")?;
                Ok(StmtKind::Throw(name))
            }
            "else" => {
                let span = self.span();
                let error =
                    Diagnostic::error(span, "`else` without `if`", "no `if` ends just before this");
                self.fail(error.help("an `if` ends after one statement; put several in braces"))
            }
            "case" | "default" => {
                let span = self.span();
                let error = Diagnostic::error(
                    span,
                    format!("`{word}` outside `switch`"),
                    "not inside a `switch`",
                );
                self.fail(error.help("write it directly in the braces of a `switch`"))
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let expr = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(expr))
    }

    fn control(&mut self, word: &str) -> Parsed<StmtKind> {
        self.advance();
        match word {
            "if" => {
                let cond = self.parenthesised()?;
                let yes = Box::new(self.nested(|p| p.statement())?);
                let no = if self.eat("else") {
                    Some(Box::new(self.nested(|p| p.statement())?))
                } else {
                    None
                };
                Ok(StmtKind::If(cond, yes, no))
            }
            "while" => {
                let cond = self.parenthesised()?;
                Ok(StmtKind::While(
                    cond,
                    Box::new(self.nested(|p| p.statement())?),
                ))
            }
            "do" => {
                let body = Box::new(self.nested(|p| p.statement())?);
                self.expect("while")?;
                let cond = self.parenthesised()?;
                self.expect(";")?;
                Ok(StmtKind::DoWhile(body, cond))
            }
            "for" => self.for_loop(),
            _ => self.switch(),
        }
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let expr = self.expression()?;
        self.expect(")")?;
        Ok(expr)
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.expect("(")?;
        let init = if self.eat(";") {
            None
        } else {
            let start = self.span();
            let kind = if self.at_type() {
                self.declaration()?
            } else {
                self.expression_statement()?
            };
            Some(Box::new(Stmt {
                kind,
                span: start.to(self.previous_span()),
            }))
        };
        let cond = if self.is(";") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(";")?;
        let step = if self.is(")") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(")")?;
        let body = Box::new(self.nested(|p| p.statement())?);
        Ok(StmtKind::For {
            init,
            cond,
            step,
            body,
        })
    }

    fn switch(&mut self) -> Parsed<StmtKind> {
        let value = self.parenthesised()?;
        self.expect("{")?;
        let mut cases = Vec::new();
        while !self.is("}") {
            let value = if self.eat("default") {
                None
            } else if self.eat("case") {
                Some(self.conditional()?)
            } else {
                return self.unexpected("`case` or `default`");
            };
            self.expect(":")?;
            cases.push(Case {
                value,
                body: self.statements(&["case", "default", "}"]),
            });
        }
        self.expect("}")?;
        Ok(StmtKind::Switch(value, cases))
    }

    fn declaration(&mut self) -> Parsed<StmtKind> {
        let chan = self.eat("chan");
        let ty = self.type_syntax()?;
        let mut declarators = Vec::new();
        loop {
            declarators.push(self.declarator(true)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(StmtKind::Declare {
            chan,
            ty,
            declarators,
        })
    }
}
