//! The syntax tree, as the parser builds it.

use crate::source::Span;
use std::collections::HashSet;

/// A name and its place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Its place.
    pub span: Span,
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Structure definitions.
    pub structs: Vec<StructDef>,
    /// Functions.
    pub functions: Vec<FunctionDef>,
    /// The names of definitions that could not be read.
    pub broken: HashSet<String>,
    /// Whether the text was read to its end.
    pub whole: bool,
}

/// `struct name { fields }`.
#[derive(Clone, Debug)]
pub struct StructDef {
    /// Its name.
    pub name: Ident,
    /// Its fields in order.
    pub fields: Vec<(TypeSyntax, Declarator)>,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// Its name.
    pub name: Ident,
    /// What it returns.
    pub result: TypeSyntax,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body, a block.
    pub body: Stmt,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Whether it is declared a channel.
    pub chan: bool,
    /// The type before the name.
    pub ty: TypeSyntax,
    /// Whether it is passed by reference.
    pub by_ref: bool,
    /// Name and dimensions; never an initialiser.
    pub declarator: Declarator,
}

/// A type as written, without dimensions.
#[derive(Clone, Debug)]
pub struct TypeSyntax {
    /// Which type.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The types that can be written.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// `int`, `uint`, `int7`, `uint15`, …
    Int {
        /// Its width.
        bits: u8,
        /// Whether it has a sign.
        signed: bool,
    },
    /// `int<lo, hi>`
    Range(Box<Expr>, Box<Expr>),
    /// A structure by name.
    Struct(String),
}

/// A declared name with its dimensions and initial value.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// Array dimensions, outermost first.
    pub dims: Vec<Expr>,
    /// The initial value.
    pub init: Option<Initialiser>,
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// One expression.
    Expr(Expr),
    /// `{ … }`, for arrays and structures.
    List(Vec<Initialiser>, Span),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Vec<Stmt>),
    /// `chan int a, b;` or `int i = 0;`
    Declare {
        /// Whether `chan` was written.
        chan: bool,
        /// The type before the names.
        ty: TypeSyntax,
        /// The names.
        declarators: Vec<Declarator>,
    },
    /// An expression for its effect.
    Expr(Expr),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Expr, Box<Stmt>),
    /// `do … while`
    DoWhile(Box<Stmt>, Expr),
    /// `for`
    For {
        /// What comes before.
        init: Option<Box<Stmt>>,
        /// The condition; none is true.
        cond: Option<Expr>,
        /// What comes after each round.
        step: Option<Expr>,
        /// What is repeated.
        body: Box<Stmt>,
    },
    /// `switch`
    Switch(Expr, Vec<Case>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// `p par q par …`
    Par(Vec<Stmt>),
    /// `try s catch (E) s`
    Try(Box<Stmt>, Ident, Box<Stmt>),
    /// `throw E`
    Throw(Ident),
    /// `;`
    Empty,
}

/// One arm of a `switch`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The value; none is `default`.
    pub value: Option<Expr>,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Int(u64),
    /// `true` or `false`.
    Bool(bool),
    /// A text, for `print` only.
    Str(String),
    /// A variable.
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `s.f`
    Field(Box<Expr>, Ident),
    /// `-e`, `~e`, `!e`, `+e`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `a = b`, `a += b`
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++a`, `a--`
    Step {
        /// What is changed.
        target: Box<Expr>,
        /// Whether by plus one.
        increment: bool,
        /// Whether the new value is the expression's.
        prefix: bool,
    },
    /// `f(a, b)`, `print(…)`, `input()`
    Call(Ident, Vec<Expr>),
    /// `next c`, a receive.
    Next(Box<Expr>),
    /// `next c = e`, a send.
    Send(Box<Expr>, Box<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `+`
    Plus,
}

/// Operators with two operands, both always evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
}

impl BinaryOp {
    /// Returns whether the result is a truth value.
    pub fn compares(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
        )
    }

    /// Returns the operator as written.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            Remainder => "%",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Less => "<",
            LessEqual => "<=",
            Greater => ">",
            GreaterEqual => ">=",
            Equal => "==",
            NotEqual => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
        }
    }
}
