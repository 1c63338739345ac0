//! Programs as trees, and their text in C.

use std::fmt::Write;

/// A type of C's integers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Type {
    name: &'static str,
    suffix: &'static str,
    bits: u32,
    pub signed: bool,
}

const fn integers(name: &'static str, suffix: &'static str, bits: u32, signed: bool) -> Type {
    Type {
        name,
        suffix,
        bits,
        signed,
    }
}

pub const INT: Type = integers("int", "", 32, true);
pub const TYPES: [Type; 9] = [
    INT,
    INT,
    integers("unsigned", "u", 32, false),
    integers("signed char", "", 8, true),
    integers("unsigned char", "", 8, false),
    integers("short", "", 16, true),
    integers("unsigned short", "", 16, false),
    integers("long", "l", 64, true),
    integers("unsigned long", "ul", 64, false),
];

impl Type {
    pub fn low(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    pub fn high(self) -> i128 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    pub fn holds(self, value: i128) -> bool {
        (self.low()..=self.high()).contains(&value)
    }

    /// The number of the type with the same lowest bits.
    pub fn wrapped(self, value: i128) -> i128 {
        let size = 1 << self.bits;
        let bits = value.rem_euclid(size);
        if bits > self.high() {
            bits - size
        } else {
            bits
        }
    }

    pub fn promoted(self) -> Type {
        if self.bits < 32 { INT } else { self }
    }

    /// The type in which C computes with both.
    pub fn common(self, other: Type) -> Type {
        let (one, other) = (self.promoted(), other.promoted());
        match one.bits.cmp(&other.bits) {
            std::cmp::Ordering::Greater => one,
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Equal if one.signed => other,
            std::cmp::Ordering::Equal => one,
        }
    }

    /// The function that returns an input of this type.
    fn input(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, true) => "__VERIFIER_nondet_char",
            (8, false) => "__VERIFIER_nondet_uchar",
            (16, true) => "__VERIFIER_nondet_short",
            (16, false) => "__VERIFIER_nondet_ushort",
            (32, true) => "__VERIFIER_nondet_int",
            (32, false) => "__VERIFIER_nondet_uint",
            (_, true) => "__VERIFIER_nondet_long",
            (_, false) => "__VERIFIER_nondet_ulong",
        }
    }

    fn constant(self, value: i128) -> String {
        match value {
            _ if value == self.low() && self.signed => {
                format!("(-{}{} - 1)", self.high(), self.suffix)
            }
            ..0 => format!("({value}{})", self.suffix),
            _ => format!("{value}{}", self.suffix),
        }
    }
}

/// A variable: of the program, or of the function, whose parameters come first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Name {
    Global(usize),
    Local(usize),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    Number,
    Array(usize),
    Pointer,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub shape: Shape,
    /// Of a number or of each element.
    pub first: Vec<i128>,
}

#[derive(Clone, Debug)]
pub enum At {
    Variable(Name),
    Element(Name, Box<Expression>),
    Pointed(Name),
}

/// Where a number is.
#[derive(Clone, Debug)]
pub struct Place {
    pub at: At,
    pub ty: Type,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
}

#[derive(Clone, Debug)]
pub enum Expression {
    Constant(i128, Type),
    Read(Place),
    Binary(Operation, Box<Expression>, Box<Expression>),
    Cast(Type, Box<Expression>),
}

impl Expression {
    pub fn ty(&self) -> Type {
        match self {
            Expression::Constant(_, ty) | Expression::Cast(ty, _) => *ty,
            Expression::Read(place) => place.ty,
            Expression::Binary(_, left, right) => left.ty().common(right.ty()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Differs,
}

#[derive(Clone, Debug)]
pub enum Condition {
    Compare(Relation, Expression, Expression),
    /// Whether a pointer into an array is below an element.
    Below(Name, Name, i128),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

#[derive(Clone, Debug)]
pub enum Argument {
    Number(Expression),
    /// Of a number.
    Address(Name),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Assign(Place, Expression),
    Input(Place),
    /// The number of the call, what gets the result, and the function.
    Call(u32, Place, usize, Vec<Argument>),
    /// Lets a pointer point to an element.
    Point(Name, Name, i128),
    Step(Name, i128),
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// The number of the loop, the condition, and what `for` does after each iteration.
    While(u32, Condition, Option<Box<Statement>>, Vec<Statement>),
    DoWhile(u32, Vec<Statement>, Condition),
    Break,
    Continue,
    Return(Expression),
    Assume(Condition),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub returns: Type,
    pub parameters: usize,
    pub variables: Vec<Variable>,
    pub body: Vec<Statement>,
}

/// A program; its last function is `main`.
#[derive(Clone, Debug)]
pub struct Program {
    pub globals: Vec<Variable>,
    pub functions: Vec<Function>,
}

impl Program {
    pub fn text(&self) -> String {
        let mut out = String::new();
        for ty in &TYPES[1..] {
            let _ = writeln!(out, "{} {}(void);", ty.name, ty.input());
        }
        out += "void __VERIFIER_assume(int);\n";
        for variable in &self.globals {
            let _ = writeln!(out, "{}", declared(variable));
        }
        for function in &self.functions {
            let parameters = function.variables[..function.parameters].iter();
            let parameters: Vec<String> = parameters
                .map(|one| match one.shape {
                    Shape::Pointer => format!("{} *{}", one.ty.name, one.name),
                    _ => format!("{} {}", one.ty.name, one.name),
                })
                .collect();
            let parameters = match parameters.is_empty() {
                true => "void".to_owned(),
                false => parameters.join(", "),
            };
            let _ = writeln!(
                out,
                "{} {}({parameters})\n{{",
                function.returns.name, function.name
            );
            for variable in &function.variables[function.parameters..] {
                let _ = writeln!(out, "    {}", declared(variable));
            }
            let writer = Writer {
                program: self,
                function,
            };
            writer.block(&mut out, &function.body, 4);
            if function.name == "main" {
                writer.print(&mut out);
                out += "    return 0;\n";
            }
            out += "}\n";
        }
        out
    }
}

fn declared(variable: &Variable) -> String {
    let Variable { name, ty, .. } = variable;
    let first: Vec<String> = variable
        .first
        .iter()
        .map(|&value| ty.constant(value))
        .collect();
    match variable.shape {
        Shape::Number => format!("{} {name} = {};", ty.name, first[0]),
        Shape::Array(length) => format!("{} {name}[{length}] = {{{}}};", ty.name, first.join(", ")),
        Shape::Pointer => format!("{} *{name} = 0;", ty.name),
    }
}

struct Writer<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Writer<'_> {
    fn name(&self, name: Name) -> &str {
        match name {
            Name::Global(at) => &self.program.globals[at].name,
            Name::Local(at) => &self.function.variables[at].name,
        }
    }

    /// What the native program prints in the end.
    fn print(&self, out: &mut String) {
        *out += "#ifdef NATIVE\n";
        for one in self.program.globals.iter().chain(&self.function.variables) {
            let mut one_number = |text: String| {
                let _ = writeln!(out, "    print({}, {text});", i32::from(one.ty.signed));
            };
            match one.shape {
                Shape::Number => one_number(one.name.clone()),
                Shape::Array(length) => {
                    (0..length).for_each(|at| one_number(format!("{}[{at}]", one.name)));
                }
                Shape::Pointer => {}
            }
        }
        *out += "#endif\n";
    }

    fn block(&self, out: &mut String, statements: &[Statement], pad: usize) {
        for statement in statements {
            self.statement(out, statement, pad);
        }
    }

    fn statement(&self, out: &mut String, statement: &Statement, pad: usize) {
        let mut line = |text: String| {
            let _ = writeln!(out, "{:pad$}{text}", "");
        };
        match statement {
            Statement::If(condition, then, otherwise) => {
                line(format!("if ({}) {{", self.condition(condition)));
                self.block(out, then, pad + 4);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{:pad$}}} else {{", "");
                    self.block(out, otherwise, pad + 4);
                }
                let _ = writeln!(out, "{:pad$}}}", "");
            }
            Statement::While(_, condition, step, body) => {
                let condition = self.condition(condition);
                line(match step {
                    Some(step) => format!("for (; {condition}; {}) {{", self.simple(step)),
                    None => format!("while ({condition}) {{"),
                });
                self.block(out, body, pad + 4);
                let _ = writeln!(out, "{:pad$}}}", "");
            }
            Statement::DoWhile(_, body, condition) => {
                line("do {".to_owned());
                self.block(out, body, pad + 4);
                let _ = writeln!(out, "{:pad$}}} while ({});", "", self.condition(condition));
            }
            _ => line(format!("{};", self.simple(statement))),
        }
    }

    /// A statement without others inside, and without its semicolon.
    fn simple(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign(place, value) => {
                format!("{} = {}", self.place(place), self.expression(value))
            }
            Statement::Input(place) => format!("{} = {}()", self.place(place), place.ty.input()),
            Statement::Call(_, into, function, arguments) => {
                let arguments = arguments.iter().map(|argument| match argument {
                    Argument::Number(value) => self.expression(value),
                    Argument::Address(name) => format!("&{}", self.name(*name)),
                });
                let arguments: Vec<String> = arguments.collect();
                let name = &self.program.functions[*function].name;
                format!("{} = {name}({})", self.place(into), arguments.join(", "))
            }
            Statement::Point(pointer, array, at) => {
                format!("{} = {} + {at}", self.name(*pointer), self.name(*array))
            }
            Statement::Step(pointer, by) => format!("{} += {by}", self.name(*pointer)),
            Statement::Break => "break".to_owned(),
            Statement::Continue => "continue".to_owned(),
            Statement::Return(value) => format!("return {}", self.expression(value)),
            Statement::Assume(condition) => {
                format!("__VERIFIER_assume({})", self.condition(condition))
            }
            _ => unreachable!("it has statements inside"),
        }
    }

    fn place(&self, place: &Place) -> String {
        match &place.at {
            At::Variable(name) => self.name(*name).to_owned(),
            At::Element(name, at) => format!("{}[{}]", self.name(*name), self.expression(at)),
            At::Pointed(name) => format!("*{}", self.name(*name)),
        }
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(value, ty) => ty.constant(*value),
            Expression::Read(place) => self.place(place),
            Expression::Binary(operation, left, right) => {
                let sign = match operation {
                    Operation::Add => "+",
                    Operation::Subtract => "-",
                    Operation::Multiply => "*",
                    Operation::Divide => "/",
                    Operation::Remainder => "%",
                    Operation::And => "&",
                };
                format!(
                    "({} {sign} {})",
                    self.expression(left),
                    self.expression(right)
                )
            }
            Expression::Cast(ty, value) => format!("({}){}", ty.name, self.expression(value)),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(relation, left, right) => {
                let sign = match relation {
                    Relation::Less => "<",
                    Relation::AtMost => "<=",
                    Relation::Greater => ">",
                    Relation::AtLeast => ">=",
                    Relation::Equal => "==",
                    Relation::Differs => "!=",
                };
                format!(
                    "{} {sign} {}",
                    self.expression(left),
                    self.expression(right)
                )
            }
            Condition::Below(pointer, array, at) => {
                format!("{} < {} + {at}", self.name(*pointer), self.name(*array))
            }
            Condition::Both(one, other) => {
                format!("({}) && ({})", self.condition(one), self.condition(other))
            }
            Condition::Either(one, other) => {
                format!("({}) || ({})", self.condition(one), self.condition(other))
            }
            Condition::Not(one) => format!("!({})", self.condition(one)),
        }
    }
}
