//! The intermediate form: one sequential function per `par` branch, in three-address code.
//!
//! The position of an instruction in its function, labels included, is its program counter; the
//! states of the task automata carry it.

use crate::source::{SourceFile, Span};
use crate::syntax::tree::{BinaryOp, UnaryOp};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// Returns the number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use id;

id!(
    /// A function of the program, or a branch of a `par` made one.
    FunctionId
);
id!(
    /// A variable of one function.
    VarId
);
id!(
    /// An exception's name.
    ExceptionId
);
id!(
    /// A structure type.
    StructId
);

/// A program counter.
pub type Pc = usize;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A number or a truth value.
    Scalar(Scalar),
    /// A structure.
    Struct(StructId),
    /// An array.
    Array(Box<Type>, u32),
    /// No value.
    Void,
    /// A type that could not be made out; the mistake has been reported.
    Unknown,
}

/// The types whose values are single numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Scalar {
    /// A truth value, 0 or 1.
    Bool,
    /// Two's complement; values wrap.
    Int {
        /// Its width, 1 to 64.
        bits: u8,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A range; leaving it is a run-time error.
    Range {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
}

/// The type of `int`.
pub const INT: Scalar = Scalar::Int {
    bits: 32,
    signed: true,
};

impl Scalar {
    /// Returns a value reduced to the width of the type, in bits; does not check ranges.
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            Scalar::Int { bits, signed } if bits < 64 => {
                let shift = 64 - bits as u32;
                if signed {
                    (value << shift) >> shift
                } else {
                    ((value as u64) << shift >> shift) as i64
                }
            }
            Scalar::Bool => (value != 0) as i64,
            _ => value,
        }
    }

    /// Returns the width, in bits, and the sign of the machine integer that holds the type.
    pub fn shape(self) -> (u8, bool) {
        match self {
            Scalar::Bool => (1, false),
            Scalar::Int { bits, signed } => (bits, signed),
            Scalar::Range { .. } => (64, true),
        }
    }

    /// Returns a value in digits. Numbers of 64 bits without a sign are held as signed ones.
    pub fn show(self, value: i64) -> String {
        match self {
            Scalar::Int {
                bits: 64,
                signed: false,
            } => (value as u64).to_string(),
            _ => value.to_string(),
        }
    }

    /// Returns the initial value of a variable.
    pub fn default_value(self) -> i64 {
        match self {
            Scalar::Range { low, high } => 0.clamp(low, high),
            _ => 0,
        }
    }
}

/// A structure type.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: String,
    /// Its fields: name, type, first slot.
    pub fields: Vec<(String, Type, u32)>,
    /// How many slots it takes.
    pub size: u32,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The text it was made from.
    pub file: SourceFile,
    /// Functions; calls name them by position.
    pub functions: Vec<Function>,
    /// The entry point.
    pub main: FunctionId,
    /// Structure types.
    pub structs: Vec<Struct>,
    /// Names of exceptions.
    pub exceptions: Vec<String>,
}

impl Program {
    /// Returns the number of slots of a type.
    pub fn size(&self, ty: &Type) -> u32 {
        size_of(&self.structs, ty)
    }

    /// Appends the types of the scalars in a type, in order.
    pub fn scalars(&self, ty: &Type, out: &mut Vec<Scalar>) {
        match ty {
            Type::Scalar(scalar) => out.push(*scalar),
            Type::Struct(id) => self.structs[id.index()]
                .fields
                .iter()
                .for_each(|(_, field, _)| self.scalars(field, out)),
            Type::Array(element, count) => (0..*count).for_each(|_| self.scalars(element, out)),
            Type::Void | Type::Unknown => {}
        }
    }
}

/// Returns the number of slots of a type, given all structs.
pub fn size_of(structs: &[Struct], ty: &Type) -> u32 {
    match ty {
        Type::Scalar(_) => 1,
        Type::Struct(id) => structs[id.index()].size,
        Type::Array(element, count) => size_of(structs, element).saturating_mul(*count),
        Type::Void | Type::Unknown => 0,
    }
}

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; temporaries are called `tmp0`, `tmp1`, …
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it is a channel.
    pub channel: bool,
    /// Whether the compiler made it.
    pub temporary: bool,
    /// Where it was declared.
    pub span: Span,
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A copy.
    Value,
    /// A copy that is copied back at the end.
    Reference,
    /// A channel that may only be received from.
    Reader,
    /// A channel that may be sent to.
    Writer,
}

/// A sequential function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; branches are numbered after the function that they are in.
    pub name: String,
    /// Where it is.
    pub span: Span,
    /// Its parameters, which are its first variables.
    pub params: Vec<Mode>,
    /// Its variables.
    pub vars: Vec<Var>,
    /// Where its result is left.
    pub result: Option<VarId>,
    /// Its code; running past the end returns.
    pub code: Vec<Instr>,
    /// Its loops.
    pub loops: Vec<Loop>,
}

/// A loop of a function.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its first instruction.
    pub head: Pc,
    /// One past its last instruction.
    pub end: Pc,
    /// Where it is.
    pub span: Span,
    /// Whether it evidently ends: a counter moves towards a bound that does not move.
    pub counted: bool,
}

/// An instruction and its place.
#[derive(Clone, Debug)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// Where it comes from.
    pub span: Span,
}

/// A part of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The variable.
    pub var: VarId,
    /// The first slot.
    pub offset: u32,
    /// Indices known only at run time.
    pub indices: Vec<Index>,
}

impl Place {
    /// Returns the place that is a whole variable.
    pub fn whole(var: VarId) -> Place {
        Place {
            var,
            offset: 0,
            indices: Vec::new(),
        }
    }
}

/// An index known only at run time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Index {
    /// The variable that holds it.
    pub var: VarId,
    /// Slots an element.
    pub stride: u32,
    /// How many elements there are.
    pub count: u32,
}

/// What is computed with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A number.
    Const(i64),
    /// What a variable holds.
    Place(Place),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Arg {
    /// One number.
    Scalar(Operand),
    /// A structure or array.
    Aggregate(Place),
    /// A variable, copied in and back.
    Reference(Place),
    /// A channel.
    Channel(VarId),
}

/// A call, alone or as a branch of a `par`.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub function: FunctionId,
    /// With what, one for each parameter.
    pub args: Vec<Arg>,
    /// Where the result goes.
    pub result: Option<Place>,
    /// Where it is.
    pub span: Span,
}

/// The parts of a `print`.
#[derive(Clone, Debug)]
pub enum PrintItem {
    /// A text.
    Text(String),
    /// A number.
    Value(Operand, Scalar),
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Nothing; a place to jump to.
    Label(&'static str),
    /// Stores one number, brought to the type.
    Move(Place, Operand, Scalar),
    /// Stores a structure or an array of so many slots.
    Copy(Place, Place, u32),
    /// Stores numbers known beforehand.
    Table(Place, Vec<i64>),
    /// Stores `op a`, computed in the first type and brought to the second.
    Unary(Place, UnaryOp, Operand, Scalar, Scalar),
    /// Stores `a op b`, computed in the first type and brought to the second.
    Binary(Place, BinaryOp, Operand, Operand, Scalar, Scalar),
    /// Goes elsewhere.
    Goto(Pc),
    /// Goes elsewhere if the operand is true, or if it is not, as the flag says.
    If(Operand, bool, Pc),
    /// Sends what the channel's variable holds.
    Send(VarId),
    /// Receives into the channel's variable.
    Receive(VarId),
    /// Runs the calls and waits for all of them. Exceptions that leave them go to the first
    /// handler of that name, innermost first.
    Par(Vec<Call>, Vec<(ExceptionId, Pc)>),
    /// Leaves the function.
    Return,
    /// Throws an exception that this function does not handle.
    Throw(ExceptionId),
    /// Prints a line.
    Print(Vec<PrintItem>),
    /// Stores the next input, a number of the type.
    Input(Place, Scalar),
}

impl Op {
    /// Returns the place that the operation assigns, or `None` if that is not exactly one.
    pub fn target(&self) -> Option<&Place> {
        match self {
            Op::Move(place, ..)
            | Op::Copy(place, ..)
            | Op::Table(place, _)
            | Op::Unary(place, ..)
            | Op::Binary(place, ..)
            | Op::Input(place, _) => Some(place),
            _ => None,
        }
    }
}
