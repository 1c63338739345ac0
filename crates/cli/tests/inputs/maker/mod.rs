//! Makes up programs: threads that compute with inputs and with what they share.

mod expressions;
mod statements;

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
    /// Nothing: the outcomes are compared.
    Nothing,
}

const THEMES: [Theme; 6] = [
    Theme::Assertion,
    Theme::Assertion,
    Theme::Bounds,
    Theme::Division,
    Theme::Hang,
    Theme::Race,
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
            self.readable = vec!["first".into(), "second".into()];
            self.locals = 0;
            let body = self.statements(2);
            text += &format!(
                "static void *thread{thread}(void *argument)\n{{\n{body}\treturn argument;\n}}\n\n"
            );
        }
        text += "int main(int argc, char **argv)\n{\n\tpthread_t ids[2];\n";
        text += "#ifdef ARGUMENT\n\ttext = argv[1];\n#endif\n";
        for name in ["first", "second"].into_iter().take(early as usize) {
            text += &format!("\t{name} = input({});\n", self.random.u32(2..=6));
        }
        for n in 0..count {
            text += &format!("\tpthread_create(&ids[{n}], 0, thread{n}, 0);\n");
        }
        self.readable = vec!["first".into(), "second".into()];
        self.locals = 0;
        text += &self.statements(1);
        for n in 0..count {
            text += &format!("\tpthread_join(ids[{n}], 0);\n");
        }
        self.readable.extend(["a", "b", "c", "d"].map(String::from));
        if self.theme == Theme::Assertion {
            let condition = self.condition();
            text += &format!("\tassert({condition} || {});\n", self.condition());
        }
        text + "\treturn 0;\n}\n"
    }
}
