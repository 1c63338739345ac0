//! The parser's expressions: C's operators and precedence, and `next`, which binds tightest.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::tree::*;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Operators with two operands, from the loosest level to the tightest.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.eat(",") {
            self.link()?;
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Comma(Box::new(left), Box::new(right));
            left = Expr { kind, span };
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let target = self.conditional()?;
        let Token::Punct(punct) = *self.peek() else {
            return Ok(target);
        };
        let op = match punct {
            "=" => None,
            "+=" => Some(BinaryOp::Add),
            "-=" => Some(BinaryOp::Subtract),
            "*=" => Some(BinaryOp::Multiply),
            "/=" => Some(BinaryOp::Divide),
            "%=" => Some(BinaryOp::Remainder),
            "<<=" => Some(BinaryOp::ShiftLeft),
            ">>=" => Some(BinaryOp::ShiftRight),
            "&=" => Some(BinaryOp::BitAnd),
            "|=" => Some(BinaryOp::BitOr),
            "^=" => Some(BinaryOp::BitXor),
            _ => return Ok(target),
        };
        self.advance();
        let value = self.nested(|p| p.assignment())?;
        let span = target.span.to(value.span);
        let kind = match (target.kind, op) {
            (ExprKind::Next(channel), None) => ExprKind::Send(channel, Box::new(value)),
            (ExprKind::Next(_), Some(_)) => {
                let error = Diagnostic::error(
                    span,
                    "a channel cannot be changed and sent at once",
                    "this assignment",
                );
                return self.fail(error.help("write `next c = c + …`"));
            }
            (kind, op) => ExprKind::Assign(
                op,
                Box::new(Expr {
                    kind,
                    span: target.span,
                }),
                Box::new(value),
            ),
        };
        Ok(Expr { kind, span })
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(0)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let yes = self.nested(|p| p.expression())?;
        self.expect(":")?;
        let no = self.nested(|p| p.conditional())?;
        let span = cond.span.to(no.span);
        Ok(Expr {
            kind: ExprKind::Conditional(Box::new(cond), Box::new(yes), Box::new(no)),
            span,
        })
    }

    /// Operators of the given level and tighter ones.
    pub(super) fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(symbols) = LEVELS.get(level) else {
            return self.nested(|p| p.unary());
        };
        let mut left = self.binary(level + 1)?;
        while let Token::Punct(punct) = *self.peek() {
            if !symbols.contains(&punct) {
                break;
            }
            self.advance();
            self.link()?;
            let right = self.binary(level + 1)?;
            let span = left.span.to(right.span);
            let (a, b) = (Box::new(left), Box::new(right));
            let kind = match punct {
                "||" => ExprKind::Or(a, b),
                "&&" => ExprKind::And(a, b),
                other => ExprKind::Binary(binary_op(other), a, b),
            };
            left = Expr { kind, span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat("next") {
            let channel = self.postfix()?;
            let span = start.to(channel.span);
            return Ok(Expr {
                kind: ExprKind::Next(Box::new(channel)),
                span,
            });
        }
        let op = match self.peek() {
            Token::Punct("-") => Some(UnaryOp::Negate),
            Token::Punct("~") => Some(UnaryOp::Complement),
            Token::Punct("!") => Some(UnaryOp::Not),
            Token::Punct("+") => Some(UnaryOp::Plus),
            _ => None,
        };
        if let Some(op) = op {
            self.advance();
            let operand = self.nested(|p| p.unary())?;
            let span = start.to(operand.span);
            return Ok(Expr {
                kind: ExprKind::Unary(op, Box::new(operand)),
                span,
            });
        }
        if self.is("++") || self.is("--") {
            let increment = self.advance() == Token::Punct("++");
            let target = self.nested(|p| p.unary())?;
            let span = start.to(target.span);
            return Ok(Expr {
                kind: ExprKind::Step {
                    target: Box::new(target),
                    increment,
                    prefix: true,
                },
                span,
            });
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            let start = expr.span;
            let kind = if self.eat("[") {
                let index = self.nested(|p| p.expression())?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else if self.eat(".") {
                ExprKind::Field(Box::new(expr), self.ident("a field's name")?)
            } else if self.is("++") || self.is("--") {
                let increment = self.advance() == Token::Punct("++");
                ExprKind::Step {
                    target: Box::new(expr),
                    increment,
                    prefix: false,
                }
            } else {
                return Ok(expr);
            };
            self.link()?;
            expr = Expr {
                kind,
                span: start.to(self.previous_span()),
            };
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek().clone() {
            Token::Int(value) => {
                self.advance();
                ExprKind::Int(value)
            }
            Token::Str(text) => {
                self.advance();
                ExprKind::Str(text)
            }
            Token::Word(word) if word == "true" || word == "false" => {
                self.advance();
                ExprKind::Bool(word == "true")
            }
            Token::Punct("(") => {
                self.advance();
                let inner = self.nested(|p| p.expression())?;
                self.expect(")")?;
                return Ok(Expr {
                    kind: inner.kind,
                    span: span.to(self.previous_span()),
                });
            }
            _ => {
                let name = self.ident("an expression")?;
                if self.is("(") {
                    self.call(name)?
                } else {
                    ExprKind::Name(name.name)
                }
            }
        };
        Ok(Expr {
            kind,
            span: Span {
                start: span.start,
                end: self.previous_span().end,
            },
        })
    }

    fn call(&mut self, name: Ident) -> Parsed<ExprKind> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.is(")") {
            arguments.push(self.nested(|p| p.assignment())?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(ExprKind::Call(name, arguments))
    }
}

fn binary_op(symbol: &str) -> BinaryOp {
    use BinaryOp::*;
    match symbol {
        "|" => BitOr,
        "^" => BitXor,
        "&" => BitAnd,
        "==" => Equal,
        "!=" => NotEqual,
        "<=" => LessEqual,
        ">=" => GreaterEqual,
        "<" => Less,
        ">" => Greater,
        "<<" => ShiftLeft,
        ">>" => ShiftRight,
        "+" => Add,
        "-" => Subtract,
        "*" => Multiply,
        "/" => Divide,
        _ => Remainder,
    }
}
