//! Programs that are said to end do: small random programs over three bytes, one of them an input,
//! are executed on all inputs.
//!
//! The state of such a program is finite, so that an execution that is in the same state twice at
//! the head of a loop runs forever.

mod common;

use common::{impasse, set_up};
use std::collections::HashSet;
use std::fmt::Write;

const PROGRAMS: u64 = 120;
/// How many must be proved for the test to mean anything.
const PROVED: u32 = 20;

const NAMES: [&str; 3] = ["a", "b", "c"];

#[derive(Clone, Copy)]
enum Value {
    Variable(usize),
    Constant(u8),
}

enum Statement {
    /// A variable becomes one value, an operation, and another value.
    Assign(usize, Value, &'static str, Value),
    If(Test, Vec<Statement>, Vec<Statement>),
    While(Test, Vec<Statement>),
    /// Something is done through a pointer to one of two variables.
    Through(Test, usize, usize, Value),
}

struct Test(Value, &'static str, Value);

struct Generator(fastrand::Rng);

impl Generator {
    fn value(&mut self) -> Value {
        match self.0.u8(0..3) {
            0 => Value::Constant(self.0.choice([0, 1, 2, 3, 7, 100, 255]).expect("one")),
            _ => Value::Variable(self.0.usize(0..3)),
        }
    }

    fn test(&mut self) -> Test {
        let how = self.0.choice(["<", "<=", "!=", "==", ">"]).expect("one");
        Test(Value::Variable(self.0.usize(0..3)), how, self.value())
    }

    fn block(&mut self, depth: u32) -> Vec<Statement> {
        (0..self.0.usize(1..4))
            .map(|_| self.statement(depth))
            .collect()
    }

    fn statement(&mut self, depth: u32) -> Statement {
        match self.0.u32(0..10) {
            0..=1 if depth > 0 => Statement::While(self.test(), self.block(depth - 1)),
            2 if depth > 0 => Statement::If(self.test(), self.block(depth - 1), self.block(0)),
            3 => Statement::Through(
                self.test(),
                self.0.usize(0..3),
                self.0.usize(0..3),
                self.value(),
            ),
            4..=6 => {
                // Loops count, more often than not.
                let variable = self.0.usize(0..3);
                let how = self.0.choice(["+", "-"]).expect("one");
                Statement::Assign(variable, Value::Variable(variable), how, Value::Constant(1))
            }
            _ => {
                let how = self.0.choice(["+", "-", "&", "|", "^", ">>"]).expect("one");
                let shifted = Value::Constant(self.0.u8(0..4));
                let right = if how == ">>" { shifted } else { self.value() };
                Statement::Assign(self.0.usize(0..3), self.value(), how, right)
            }
        }
    }
}

fn show_value(value: Value) -> String {
    match value {
        Value::Variable(variable) => NAMES[variable].into(),
        Value::Constant(number) => number.to_string(),
    }
}

fn show_test(Test(left, how, right): &Test) -> String {
    format!("{} {how} {}", show_value(*left), show_value(*right))
}

fn show(block: &[Statement], text: &mut String) {
    for statement in block {
        match statement {
            Statement::Assign(variable, left, how, right) => {
                let (left, right) = (show_value(*left), show_value(*right));
                let _ = writeln!(text, "{} = {left} {how} {right};", NAMES[*variable]);
            }
            Statement::If(test, then, otherwise) => {
                let _ = writeln!(text, "if ({}) {{", show_test(test));
                show(then, text);
                text.push_str("} else {\n");
                show(otherwise, text);
                text.push_str("}\n");
            }
            Statement::While(test, body) => {
                let _ = writeln!(text, "while ({}) {{", show_test(test));
                show(body, text);
                text.push_str("}\n");
            }
            Statement::Through(test, one, other, value) => {
                let (test, value) = (show_test(test), show_value(*value));
                let (one, other) = (NAMES[*one], NAMES[*other]);
                let _ = writeln!(text, "*({test} ? &{one} : &{other}) = {value};");
            }
        }
    }
}

type State = [u8; 3];

fn value(value: Value, state: &State) -> u8 {
    match value {
        Value::Variable(variable) => state[variable],
        Value::Constant(number) => number,
    }
}

fn holds(Test(left, how, right): &Test, state: &State) -> bool {
    let (left, right) = (value(*left, state), value(*right, state));
    match *how {
        "<" => left < right,
        "<=" => left <= right,
        "!=" => left != right,
        "==" => left == right,
        _ => left > right,
    }
}

/// Executes a block. Whether it ends.
fn execute(block: &[Statement], state: &mut State) -> bool {
    for statement in block {
        match statement {
            Statement::Assign(variable, left, how, right) => {
                let (left, right) = (value(*left, state), value(*right, state));
                state[*variable] = match *how {
                    "+" => left.wrapping_add(right),
                    "-" => left.wrapping_sub(right),
                    "&" => left & right,
                    "|" => left | right,
                    "^" => left ^ right,
                    _ => left >> right,
                };
            }
            Statement::If(test, then, otherwise) => {
                let taken = if holds(test, state) { then } else { otherwise };
                if !execute(taken, state) {
                    return false;
                }
            }
            Statement::While(test, body) => {
                let mut seen = HashSet::new();
                while holds(test, state) {
                    if !seen.insert(*state) || !execute(body, state) {
                        return false;
                    }
                }
            }
            Statement::Through(test, one, other, new) => {
                let at = if holds(test, state) { *one } else { *other };
                state[at] = value(*new, state);
            }
        }
    }
    true
}

#[test]
fn what_is_said_to_end_ends() {
    set_up();
    let folder = tempfile::tempdir().expect("a folder");
    let mut proved = 0;
    for seed in 0..PROGRAMS {
        let mut generator = Generator(fastrand::Rng::with_seed(seed));
        let body = generator.block(3);
        let mut text = String::from(
            "unsigned char __VERIFIER_nondet_uchar(void);\nint main(void)\n{\nunsigned char a = __VERIFIER_nondet_uchar(), b = 5, c = 0;\n",
        );
        show(&body, &mut text);
        text.push_str("return a + b + c;\n}\n");
        let path = folder.path().join(format!("{seed}.c"));
        std::fs::write(&path, &text).expect("a file");
        let path = path.to_string_lossy().into_owned();
        let arguments = [
            "loops",
            "--only",
            "terminating",
            "--max-time",
            "5",
            &path,
            "--",
            "-w",
        ];
        let output = impasse(arguments);
        if output.status.code() != Some(0) {
            assert_eq!(output.status.code(), Some(3), "{text}");
            continue;
        }
        proved += 1;
        let forever = (0..=255).find(|&input| !execute(&body, &mut [input, 5, 0]));
        assert_eq!(forever, None, "it runs forever on this input:\n{text}");
    }
    assert!(proved >= PROVED, "only {proved} were proved");
}
