//! What one execution did, instruction by instruction.
//!
//! A trace keeps of each instruction where it stands, the words that it assigned and the addresses
//! that it used: enough to evaluate any part of the execution again, on symbols in place of values,
//! without the machine.

use impasse_machine::base::fault::{CodePlace, ErrorKind};
use impasse_program::ilp32::Ilp32Addresses;
use impasse_program::instruction::{Position, Slot};
use impasse_program::link::{BuiltinId, FunctionId};
use impasse_program::word::Word;
use rustc_hash::FxHashMap;

/// A concrete word of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its value.
    pub bits: u64,
    /// Whether any of its bits is undefined.
    pub undefined: bool,
}

impl Known {
    /// A defined number.
    pub fn number(bits: u64) -> Known {
        Known {
            bits,
            undefined: false,
        }
    }
}

impl From<Word> for Known {
    fn from(word: Word) -> Known {
        Known {
            bits: word.bits,
            undefined: !word.is_defined(),
        }
    }
}

/// What an instruction did with control and with the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Something within the frame. Words: addresses used, then what was assigned.
    Ordinary,
    /// Entered a function. Words: the objects that the call made for arguments.
    Entered(FunctionId),
    /// Returned. Words: what was assigned in the caller.
    Returned,
    /// Called a function of the machine. Words: the arguments, then what was assigned.
    Builtin(BuiltinId),
    /// Got bytes of standard input from the machine; the index of the first among the inputs.
    /// Words: the arguments.
    Bytes(u32),
    /// Read an input; its index among those of the execution. Words: what was assigned.
    Input(u32),
    /// Called a function that changes nothing that the program sees; nothing reads what it returns.
    Printed,
}

/// One executed instruction.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its function.
    pub function: FunctionId,
    /// Where it stands there.
    pub position: u32,
    /// The first of its words.
    pub words: u32,
    /// What it did.
    pub effect: Effect,
}

impl Step {
    /// Where it stands.
    pub fn place(&self) -> CodePlace {
        CodePlace {
            function: self.function,
            position: Position(self.position),
        }
    }
}

/// One activation of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Activation(pub u32);

/// A moment at which the execution passed a cutpoint: the header of a loop, or the entry of a
/// function.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The step that comes next.
    pub step: u32,
    /// Whose frame is the innermost.
    pub activation: Activation,
    /// How many frames there are.
    pub depth: u32,
    /// Where.
    pub place: CodePlace,
    /// How many objects had been made.
    pub objects: u32,
    /// The slots that are live, and their values.
    pub slots: Vec<(Slot, Known)>,
}

impl Visit {
    /// Whether it is the entry of a function, and not the header of a loop.
    pub fn is_entry(&self) -> bool {
        self.place.position.0 == 0
    }
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A call of `__VERIFIER_nondet_…` or its like, by the name of the type.
    Call(String),
    /// The lower 64 bits of such a call's result, which has 128.
    LowerHalf(String),
    /// The upper 64 bits, which are read next.
    UpperHalf(String),
    /// A parameter of the function under test.
    Parameter(String),
    /// Part of what a parameter points to.
    Pointee(String),
    /// A global variable that the program does not initialise, or part of it.
    Global(String),
    /// A byte of standard input.
    StandardInput(u32),
    /// What a function of the library says of the environment, by its name.
    Environment(String),
    /// The same, where it says the same each time.
    Fixed(String),
    /// What a local variable holds that the program does not initialise, by its name.
    Uninitialised(String),
    /// What a function returns that is defined nowhere, by its name.
    Unknown(String),
}

/// One value that the program asked its environment for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Input {
    /// Where it comes from.
    pub source: Source,
    /// How many bits it has.
    pub bits: u8,
    /// Whether it is read as a signed number.
    pub signed: bool,
    /// Where it was read; none if it was there from the start.
    pub place: Option<CodePlace>,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended, by itself or by `abort` or a failed assertion.
    Ended,
    /// An assumption did not hold.
    Infeasible,
    /// Behaviour that the language does not define: its kind, what happened, and where.
    Undefined(ErrorKind, String, String),
    /// Something that cannot be executed, or not be followed.
    Unsupported(String),
    /// A number wrapped around, where only executions over unbounded integers count.
    Wrapped,
    /// It continued beyond the limits.
    Cut,
}

/// One execution.
#[derive(Debug)]
pub struct Trace {
    /// What was executed.
    pub steps: Vec<Step>,
    /// The words of the steps.
    pub words: Vec<Known>,
    /// The moments at which cutpoints were passed.
    pub visits: Vec<Visit>,
    /// A pair of visits between which the whole state seems not to have changed, if there is one.
    pub repeated: Option<(u32, u32)>,
    /// What was read.
    pub inputs: Vec<Input>,
    /// The values that were read, bits above their widths zero.
    pub values: Vec<u64>,
    /// The frame in which the recorded part starts.
    pub first: Visit,
    /// Memory that holds inputs from the start: the object, the offset in bytes, and the number of
    /// the input.
    pub placed: Vec<(impasse_program::address::ObjectId, u32, u32)>,
    /// Slots of the first frame that hold inputs, with the numbers of these.
    pub parameters: Vec<(Slot, u32)>,
    /// The sizes in bytes of objects, by address, where an instruction works on a whole one.
    pub sizes: FxHashMap<u64, u32>,
    /// The sizes in bytes of objects made while running, by number, if the last step could not be
    /// completed.
    pub made: Vec<u32>,
    /// Objects made while running whose numbers the program saw as numbers.
    pub pinned: Vec<u32>,
    /// Which numbers addresses have, if they take four bytes in memory.
    pub ilp32: Option<Ilp32Addresses>,
    /// Whether the last step could not be completed.
    pub halted: bool,
    /// The first step at which a signed number overflowed in the program's own code; it wrapped
    /// around.
    pub overflow: Option<u32>,
    /// The first step there at which any number wrapped around, or lost bits.
    pub wrap: Option<u32>,
    /// What the execution did that depends on its environment, in order: the step, and a text for
    /// people.
    pub conditions: Vec<(u32, String)>,
    /// Whether the program checks that an allocation succeeded, which all do here.
    pub assumes_memory: bool,
    /// How many instructions came before those that were recorded.
    pub skipped: usize,
    /// How many inputs were read by then.
    pub read_before: usize,
    /// How it ended.
    pub end: End,
    /// Why the program may do more than executions of this kind show, for people.
    pub gaps: Vec<String>,
}

impl Trace {
    /// A trace without steps, of an execution that starts at `entry`.
    pub fn new(entry: FunctionId) -> Trace {
        Trace {
            steps: Vec::new(),
            words: Vec::new(),
            visits: Vec::new(),
            repeated: None,
            inputs: Vec::new(),
            values: Vec::new(),
            first: Visit {
                step: 0,
                activation: Activation(0),
                depth: 0,
                place: CodePlace {
                    function: entry,
                    position: Position(0),
                },
                objects: 0,
                slots: Vec::new(),
            },
            placed: Vec::new(),
            parameters: Vec::new(),
            sizes: FxHashMap::default(),
            made: Vec::new(),
            pinned: Vec::new(),
            ilp32: None,
            halted: false,
            overflow: None,
            wrap: None,
            conditions: Vec::new(),
            assumes_memory: false,
            skipped: 0,
            read_before: 0,
            end: End::Cut,
            gaps: Vec::new(),
        }
    }

    /// The words that a step used and assigned, in the order that its effect says.
    pub fn words_of(&self, step: usize) -> &[Known] {
        let from = self.steps[step].words as usize;
        let to = self
            .steps
            .get(step + 1)
            .map_or(self.words.len(), |next| next.words as usize);
        &self.words[from..to]
    }
}
