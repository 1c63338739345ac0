//! Makes programs up: loops whose ends are close to where types end, arrays, pointers, calls.

use crate::syntax::{
    Argument, At, Condition, Expression, Function, INT, Name, Operation, Place, Program, Relation,
    Shape, Statement, TYPES, Type, Variable,
};
use fastrand::Rng;

struct Maker {
    random: Rng,
    /// Whether integers are unbounded: then a negative constant must not become unsigned.
    unbounded: bool,
    globals: Vec<Variable>,
    functions: Vec<Function>,
    variables: Vec<Variable>,
    /// How many of them are parameters, which pointers among them are never moved.
    parameters: usize,
    sites: u32,
    budget: i32,
    is_main: bool,
    calls_itself: bool,
}

/// The program with a number.
pub fn make(number: u64, unbounded: bool) -> Program {
    let mut maker = Maker {
        random: Rng::with_seed(number),
        unbounded,
        globals: Vec::new(),
        functions: Vec::new(),
        variables: Vec::new(),
        parameters: 0,
        sites: 0,
        budget: 0,
        is_main: false,
        calls_itself: false,
    };
    maker.globals = (0..maker.random.usize(0..3))
        .map(|at| maker.variable(format!("g{at}")))
        .collect();
    for at in 0..maker.random.usize(0..5).saturating_sub(2) {
        maker.function(format!("f{at}"));
    }
    maker.main();
    Program {
        globals: maker.globals,
        functions: maker.functions,
    }
}

impl Maker {
    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(0..100) < percent
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.random.usize(0..of.len())].clone()
    }

    fn site(&mut self) -> u32 {
        self.sites += 1;
        self.sites
    }

    /// A number that a type holds, often close to where it or another type ends.
    fn number(&mut self, ty: Type) -> i128 {
        let small = i128::from(self.random.i64(-5..=12));
        let end = self.one(&[127, 255, 1 << 15, 1 << 16, 1 << 31, 1 << 32]);
        let number = match self.random.u8(0..10) {
            0..=5 => small,
            6 => ty.high() - small.abs(),
            7 => ty.low() + small.abs(),
            8 => ty.high() / 2 + small,
            _ => end + small,
        };
        number.clamp(ty.low(), ty.high())
    }

    fn variable(&mut self, name: String) -> Variable {
        let ty = self.one(&TYPES);
        let shape = match self.random.u8(0..8) {
            0 => Shape::Array(self.random.usize(2..5)),
            _ => Shape::Number,
        };
        let count = if let Shape::Array(length) = shape {
            length
        } else {
            1
        };
        let first = (0..count).map(|_| self.number(ty)).collect();
        Variable {
            name,
            ty,
            shape,
            first,
        }
    }

    fn function(&mut self, name: String) {
        self.is_main = false;
        self.parameters = self.random.usize(1..3);
        self.variables = Vec::new();
        for at in 0..self.parameters {
            let ty = self.one(&TYPES);
            let shape = if self.chance(25) {
                Shape::Pointer
            } else {
                Shape::Number
            };
            self.variables.push(Variable {
                name: format!("p{at}"),
                ty,
                shape,
                first: vec![0],
            });
        }
        let is_recursive = self.variables.iter().all(|one| one.shape != Shape::Pointer);
        self.calls_itself = is_recursive && self.chance(40);
        let local = self.variable("l".to_owned());
        self.variables.push(local);
        let returns = self.one(&TYPES);
        // Known before its body, which may call it.
        self.functions.push(Function {
            name,
            returns,
            parameters: self.parameters,
            variables: self.variables.clone(),
            body: Vec::new(),
        });
        self.budget = self.random.i32(1..6);
        let mut body = self.block(1);
        if self.chance(30) {
            body.push(self.repeat(1));
        }
        let value = self.expression(1, returns);
        body.push(Statement::Return(value));
        self.functions.last_mut().expect("it was added").body = body;
        self.calls_itself = false;
    }

    fn main(&mut self) {
        self.is_main = true;
        self.parameters = 0;
        self.variables = Vec::new();
        for at in 0..self.random.usize(2..5) {
            let variable = self.variable(format!("x{at}"));
            self.variables.push(variable);
        }
        let arrays: Vec<Type> = self
            .names()
            .into_iter()
            .filter_map(|name| {
                let variable = self.of(name);
                matches!(variable.shape, Shape::Array(_)).then_some(variable.ty)
            })
            .collect();
        if let Some(&ty) = arrays.first() {
            self.variables.push(Variable {
                name: "q".to_owned(),
                ty,
                shape: Shape::Pointer,
                first: vec![0],
            });
        }
        let mut body = Vec::new();
        if !arrays.is_empty() {
            body.extend(self.point());
        }
        for name in self.names() {
            let ty = self.of(name).ty;
            if self.of(name).shape == Shape::Number && self.chance(20) {
                body.push(Statement::Input(Place {
                    at: At::Variable(name),
                    ty,
                }));
            }
        }
        self.budget = self.random.i32(4..11);
        if self.chance(40) {
            body.extend(self.block(0));
        }
        body.push(self.repeat(0));
        if self.chance(40) {
            body.push(self.repeat(0));
        }
        self.functions.push(Function {
            name: "main".to_owned(),
            returns: INT,
            parameters: 0,
            variables: std::mem::take(&mut self.variables),
            body,
        });
    }

    fn names(&self) -> Vec<Name> {
        let globals = (0..self.globals.len()).map(Name::Global);
        globals
            .chain((0..self.variables.len()).map(Name::Local))
            .collect()
    }

    fn of(&self, name: Name) -> &Variable {
        match name {
            Name::Global(at) => &self.globals[at],
            Name::Local(at) => &self.variables[at],
        }
    }

    fn named(&mut self, is_wanted: impl Fn(&Variable) -> bool) -> Option<Name> {
        let names = self.names().into_iter();
        let names: Vec<Name> = names.filter(|&name| is_wanted(self.of(name))).collect();
        (!names.is_empty()).then(|| self.one(&names))
    }

    /// A number's place: mostly a variable.
    fn place(&mut self) -> Place {
        if self.chance(25)
            && let Some(name) = self.named(|one| matches!(one.shape, Shape::Array(_)))
        {
            let Shape::Array(length) = self.of(name).shape else {
                unreachable!("it is an array")
            };
            let ty = self.of(name).ty;
            let constant = i128::from(self.random.u8(0..length as u8));
            let index = match self.named(|one| one.shape == Shape::Number) {
                // An even length, whose remainders are bits.
                Some(other) if length.is_power_of_two() && self.chance(50) => {
                    let of = self.of(other).ty;
                    let read = Expression::Read(Place {
                        at: At::Variable(other),
                        ty: of,
                    });
                    let mask = Expression::Constant(length as i128 - 1, INT);
                    Expression::Binary(Operation::And, read.into(), mask.into())
                }
                Some(other) if self.chance(40) => {
                    let of = self.of(other).ty;
                    Expression::Read(Place {
                        at: At::Variable(other),
                        ty: of,
                    })
                }
                _ => Expression::Constant(constant, INT),
            };
            return Place {
                at: At::Element(name, index.into()),
                ty,
            };
        }
        if self.chance(30)
            && let Some(name) = self.named(|one| one.shape == Shape::Pointer)
        {
            let ty = self.of(name).ty;
            return Place {
                at: At::Pointed(name),
                ty,
            };
        }
        match self.named(|one| one.shape == Shape::Number) {
            Some(name) => Place {
                at: At::Variable(name),
                ty: self.of(name).ty,
            },
            None => {
                let name = self.names()[0];
                let ty = self.of(name).ty;
                match self.of(name).shape {
                    Shape::Pointer => Place {
                        at: At::Pointed(name),
                        ty,
                    },
                    _ => Place {
                        at: At::Element(name, Expression::Constant(0, INT).into()),
                        ty,
                    },
                }
            }
        }
    }

    /// A constant that an operand of a type is combined with.
    fn constant(&mut self, beside: Type) -> Expression {
        let ty = beside.promoted();
        Expression::Constant(self.number(ty), ty)
    }

    /// An expression of any type that is assigned to one.
    fn expression(&mut self, depth: u32, to: Type) -> Expression {
        match self.random.u8(0..12) {
            0..=2 => {
                let number = self.number(to);
                let ty = if INT.holds(number) {
                    INT
                } else {
                    to.promoted()
                };
                Expression::Constant(number, ty)
            }
            3..=5 => Expression::Read(self.place()),
            6 if depth < 2 => {
                let value = self.expression(depth + 1, to);
                let ty = self.one(&TYPES);
                let is_negative = matches!(value, Expression::Constant(number, _) if number < 0);
                if is_negative && !ty.signed {
                    value
                } else {
                    Expression::Cast(ty, value.into())
                }
            }
            7 => {
                let left = Expression::Read(self.place());
                let operation = self.one(&[
                    Operation::Multiply,
                    Operation::Divide,
                    Operation::Remainder,
                    Operation::And,
                ]);
                let by = i128::from(self.random.u8(1..6));
                let right = Expression::Constant(by, left.ty().promoted());
                Expression::Binary(operation, left.into(), right.into())
            }
            _ => {
                let left = Expression::Read(self.place());
                let right = match self.chance(50) {
                    true => Expression::Read(self.place()),
                    false => {
                        let by = i128::from(self.random.u8(1..4));
                        Expression::Constant(by, left.ty().promoted())
                    }
                };
                let operation = self.one(&[Operation::Add, Operation::Subtract]);
                Expression::Binary(operation, left.into(), right.into())
            }
        }
    }

    fn comparison(&mut self) -> Condition {
        let relations = [
            Relation::Less,
            Relation::AtMost,
            Relation::Greater,
            Relation::AtLeast,
            Relation::Equal,
            Relation::Differs,
            Relation::Differs,
        ];
        let relation = self.one(&relations);
        let left = match self.chance(15) {
            true => self.expression(1, INT),
            false => Expression::Read(self.place()),
        };
        let right = match self.chance(30) {
            true => Expression::Read(self.place()),
            false => self.constant(left.ty()),
        };
        let is_negative = |one: &Expression| matches!(one, Expression::Constant(n, _) if *n < 0);
        if self.unbounded && (is_negative(&left) || is_negative(&right)) {
            let ty = left.ty().common(right.ty());
            if !ty.signed {
                let zero = Expression::Constant(0, INT);
                let read = Expression::Read(self.place());
                return Condition::Compare(relation, read, zero);
            }
        }
        Condition::Compare(relation, left, right)
    }

    fn condition(&mut self) -> Condition {
        match self.random.u8(0..12) {
            0 => Condition::Both(self.comparison().into(), self.comparison().into()),
            1 => Condition::Either(self.comparison().into(), self.comparison().into()),
            2 => Condition::Not(self.comparison().into()),
            3..=4 if self.is_main => match self.array() {
                Some((pointer, array, length)) => {
                    let most = i128::from(self.random.u8(0..=length));
                    Condition::Below(pointer, array, most)
                }
                None => self.comparison(),
            },
            _ => self.comparison(),
        }
    }

    /// The pointer, an array that it may point into, and its length.
    fn array(&mut self) -> Option<(Name, Name, u8)> {
        let pointer = self.named(|one| one.shape == Shape::Pointer)?;
        let ty = self.of(pointer).ty;
        let array = self.named(|one| one.ty == ty && matches!(one.shape, Shape::Array(_)))?;
        match self.of(array).shape {
            Shape::Array(length) => Some((pointer, array, length as u8)),
            _ => None,
        }
    }

    fn point(&mut self) -> Option<Statement> {
        let (pointer, array, length) = self.array()?;
        let at = i128::from(self.random.u8(0..length));
        Some(Statement::Point(pointer, array, at))
    }

    fn block(&mut self, depth: u32) -> Vec<Statement> {
        let count = self.random.usize(1..4);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn change(&mut self) -> Statement {
        let place = self.place();
        let read = Expression::Read(place.clone());
        let by = self.one(&[1, 1, 1, 2, 3]);
        let by = Expression::Constant(by, read.ty().promoted());
        let operation = self.one(&[Operation::Add, Operation::Subtract]);
        Statement::Assign(place, Expression::Binary(operation, read.into(), by.into()))
    }

    fn statement(&mut self, depth: u32) -> Statement {
        self.budget -= 1;
        if self.budget < 0 {
            return self.change();
        }
        match self.random.u8(0..20) {
            0..=6 => self.change(),
            7..=10 => {
                let place = self.place();
                let value = self.expression(0, place.ty);
                Statement::Assign(place, value)
            }
            11..=13 => {
                let (condition, then) = (self.condition(), self.block(depth + 1));
                let otherwise = if self.chance(50) {
                    self.block(depth + 1)
                } else {
                    Vec::new()
                };
                Statement::If(condition, then, otherwise)
            }
            14 if depth < 3 => self.repeat(depth),
            15 => Statement::Input(self.place()),
            16..=17 => self.call().unwrap_or_else(|| self.change()),
            18 if self.is_main => match self.named(|one| one.shape == Shape::Pointer) {
                Some(pointer) if self.chance(70) => Statement::Step(pointer, self.one(&[1, 1, -1])),
                _ => self.point().unwrap_or_else(|| self.change()),
            },
            19 if self.chance(30) => Statement::Assume(self.condition()),
            _ => self.change(),
        }
    }

    fn repeat(&mut self, depth: u32) -> Statement {
        let (site, condition) = (self.site(), self.condition());
        let mut body = self.block(depth + 1);
        if self.chance(20) {
            let leave = self.one(&[Statement::Break, Statement::Continue]);
            body.insert(0, Statement::If(self.condition(), vec![leave], Vec::new()));
        }
        match self.random.u8(0..4) {
            0 => {
                let step = self.change();
                Statement::While(site, condition, Some(step.into()), body)
            }
            1 => Statement::DoWhile(site, body, condition),
            _ => Statement::While(site, condition, None, body),
        }
    }

    fn call(&mut self) -> Option<Statement> {
        let known = self.functions.len() - usize::from(!self.is_main && !self.calls_itself);
        let id = (known > 0).then(|| self.random.usize(0..known))?;
        let count = self.functions[id].parameters;
        let mut arguments = Vec::new();
        for at in 0..count {
            let parameter = self.functions[id].variables[at].clone();
            arguments.push(match parameter.shape {
                Shape::Pointer => {
                    let ty = parameter.ty;
                    let name = self.named(|one| one.ty == ty && one.shape == Shape::Number)?;
                    Argument::Address(name)
                }
                _ => Argument::Number(self.expression(1, parameter.ty)),
            });
        }
        let into = self.named(|one| one.shape == Shape::Number)?;
        let place = Place {
            at: At::Variable(into),
            ty: self.of(into).ty,
        };
        Some(Statement::Call(self.site(), place, id, arguments))
    }
}
