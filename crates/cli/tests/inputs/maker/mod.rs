//! Makes up programs: threads that compute with inputs and with what they share.

mod expressions;
mod memory;
mod mixed;
mod sides;
mod statements;
mod undefined;

use crate::kind::{Source, compares_outcomes, has_floats, is_tso, races};
use fastrand::Rng;

/// What each program begins with.
const HEAD: &str = include_str!("head.c");

/// What can go wrong in a program, so that there is one kind of error at most.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Theme {
    Assertion,
    Bounds,
    Division,
    Hang,
    Race,
    Shift,
    Undefined,
    /// Memory that is used after it was freed.
    Freed,
    /// Memory that is freed twice.
    Twice,
    Null,
    /// Nothing: the outcomes are compared.
    Nothing,
}

const THEMES: [Theme; 16] = [
    Theme::Assertion,
    Theme::Assertion,
    Theme::Assertion,
    Theme::Bounds,
    Theme::Bounds,
    Theme::Bounds,
    Theme::Division,
    Theme::Hang,
    Theme::Hang,
    Theme::Race,
    Theme::Shift,
    Theme::Undefined,
    Theme::Undefined,
    Theme::Freed,
    Theme::Twice,
    Theme::Null,
];

/// Makes up a program: threads that compute with inputs and with what they share.
pub struct Maker {
    random: Rng,
    theme: Theme,
    /// How many inputs may still be read.
    inputs: u32,
    /// Whether atomics have weaker orders than sequential consistency.
    is_weak: bool,
    /// Whether the program runs under x86-TSO.
    is_tso: bool,
    has_floats: bool,
    /// Whether threads share memory of a size that depends on inputs.
    has_heap: bool,
    /// The expressions that the statement being made can read.
    readable: Vec<String>,
    locals: u32,
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        let mut random = Rng::with_seed(seed);
        let theme = match compares_outcomes(seed) {
            true => Theme::Nothing,
            false => THEMES[random.usize(0..THEMES.len())],
        };
        let inputs = random.u32(1..=4).min(Source::of(seed).most());
        Maker {
            random,
            theme,
            inputs,
            is_weak: seed % 3 == 2,
            is_tso: is_tso(seed) && races(seed) == "off",
            has_floats: has_floats(seed),
            has_heap: seed % 4 == 2,
            readable: Vec::new(),
            locals: 0,
        }
    }

    pub fn program(&mut self) -> String {
        let mut text = HEAD.to_owned();
        let early = self.random.u32(0..=self.inputs.min(2));
        self.inputs -= early;
        let count = self.random.usize(1..=2);
        for thread in 0..count {
            self.readable = ["first", "second", "given"].map(String::from).into();
            self.locals = 0;
            let body = self.statements(2);
            text += &format!(
                "static void *thread{thread}(void *argument)\n{{\n\tint given = (long)argument;\n{body}\treturn argument;\n}}\n\n"
            );
        }
        text += "int main(int argc, char **argv)\n{\n\tpthread_t ids[2];\n";
        text += "#ifdef ARGUMENT\n\ttext = argv[1];\n#endif\n";
        for name in ["first", "second"].into_iter().take(early as usize) {
            text += &format!("\t{name} = input({});\n", self.random.u32(2..=6));
        }
        self.readable = vec!["first".into(), "second".into()];
        self.locals = 0;
        if self.has_heap {
            let size = self.count();
            text += &format!(
                "\theap_size = {size};\n\theap = calloc(heap_size, 1);\n\tassert(heap);\n"
            );
        }
        // Whether a thread is started may depend on inputs.
        let started: Vec<String> = (0..count).map(|n| self.start(n)).collect();
        text += &started.concat();
        self.readable = vec!["first".into(), "second".into()];
        text += &self.statements(1);
        for (n, start) in started.iter().enumerate() {
            let guard = match start.contains("if (") {
                true => format!("\tif (is_started{n})\n\t"),
                false => String::new(),
            };
            text += &format!("{guard}\tpthread_join(ids[{n}], 0);\n");
        }
        if self.has_heap {
            text += "\tfree(heap);\n";
        }
        self.readable.extend(["a", "b", "c", "d"].map(String::from));
        if self.theme == Theme::Assertion {
            let condition = self.condition();
            text += &format!("\tassert({condition} || {});\n", self.condition());
        }
        text + "\treturn 0;\n}\n"
    }

    /// Starts a thread, or does so under a condition.
    fn start(&mut self, number: usize) -> String {
        let argument = match self.random.bool() {
            true => format!("(void *)(long)({})", self.expression()),
            false => "0".into(),
        };
        let create = format!("\tpthread_create(&ids[{number}], 0, thread{number}, {argument});\n");
        match self.random.u32(0..4) {
            0 => {
                let condition = self.condition();
                format!(
                    "\tint is_started{number} = {condition};\n\tif (is_started{number})\n\t{create}"
                )
            }
            _ => create,
        }
    }

    /// The name of a new local variable, which is readable from now on.
    fn local(&mut self, prefix: &str) -> String {
        let name = format!("{prefix}{}", self.locals);
        self.locals += 1;
        self.readable.push(name.clone());
        name
    }
}
