//! Makes small programs up that `explorer.c` can decide: few values, and no undefined behaviour but
//! what is asked for.

mod declarations;
mod expressions;
mod statements;

use fastrand::Rng;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A program.
pub struct Made {
    /// Its text, which uses the macros of `program.h`.
    pub text: String,
    /// How it is given to `impasse loops`.
    pub flags: Vec<String>,
    /// Global variables whose first values are inputs.
    pub havoc: Vec<String>,
    /// Whether the integers are mathematical ones.
    pub integer: bool,
    /// Whether signed overflow is defined.
    pub wraps: bool,
    /// What it uses.
    pub features: BTreeSet<&'static str>,
}

#[derive(Clone, Copy, PartialEq)]
struct Type {
    name: &'static str,
    low: i64,
    high: i64,
    /// Whether what is assigned needs a mask, lest there be too many states.
    is_wide: bool,
}

const fn numbers(name: &'static str, low: i64, high: i64, is_wide: bool) -> Type {
    Type {
        name,
        low,
        high,
        is_wide,
    }
}

const BYTE: Type = numbers("unsigned char", 0, 255, false);
const TYPES: [Type; 12] = [
    BYTE,
    BYTE,
    BYTE,
    numbers("signed char", -128, 127, false),
    numbers("signed char", -128, 127, false),
    numbers("_Bool", 0, 1, false),
    numbers("short", -128, 255, true),
    numbers("unsigned short", 0, 255, true),
    numbers("int", -128, 255, true),
    numbers("int", -128, 255, true),
    numbers("unsigned", 0, 255, true),
    numbers("long", -128, 255, true),
];

/// A number that may be assigned to.
#[derive(Clone)]
struct Place {
    text: String,
    ty: Type,
    is_constant: bool,
}

/// An expression, and what it is at most, without its sign.
type Expression = (String, i64);

struct Function {
    name: String,
    parameters: Vec<Type>,
    by_address: bool,
}

/// Which programs are made.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Overflow,
    Integer,
    Undefined,
}

struct Maker {
    random: Rng,
    kind: Kind,
    text: String,
    pad: usize,
    places: Vec<Place>,
    /// Variables that enclosing loops count with.
    counting: Vec<String>,
    functions: Vec<Function>,
    features: BTreeSet<&'static str>,
    names: u32,
    heads: u32,
    budget: i32,
    /// Whether `break` and `continue` leave a loop here.
    in_loop: bool,
    returns: &'static str,
    inputs: u32,
    bytes: bool,
}

/// The program with a number.
pub fn make(number: u64) -> Made {
    let mut random = Rng::with_seed(number);
    let kind = match random.u8(0..20) {
        0..=2 => Kind::Overflow,
        3..=4 => Kind::Integer,
        5 => Kind::Undefined,
        _ => Kind::Plain,
    };
    let maker = Maker {
        random,
        kind,
        text: String::new(),
        pad: 0,
        places: Vec::new(),
        counting: Vec::new(),
        functions: Vec::new(),
        features: BTreeSet::new(),
        names: 0,
        heads: 0,
        budget: 0,
        in_loop: false,
        returns: "return;",
        inputs: 0,
        bytes: false,
    };
    maker.program()
}

impl Maker {
    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(0..100) < percent
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.random.usize(0..of.len())].clone()
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:pad$}{line}", "", pad = self.pad);
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.pad += 4;
    }

    fn close(&mut self, line: &str) {
        self.pad -= 4;
        self.line(line);
    }

    fn uses(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    fn program(mut self) -> Made {
        let mut flags: Vec<String> = Vec::new();
        let mut havoc = Vec::new();
        let declared = ["int", "uint", "uchar", "char", "bool"]
            .map(|name| format!("{} __VERIFIER_nondet_{name}(void);\n", spelled(name)));
        let mut head = format!("{}{HEAD}", declared.concat());
        self.inputs = self.random.u32(0..5);
        self.bytes = self.kind != Kind::Integer && self.chance(8);
        if self.bytes {
            flags.extend(["--stdin-bytes", "2"].map(str::to_owned));
        }
        if self.kind == Kind::Integer {
            self.uses("integer");
            flags.extend(["--arithmetic", "integer"].map(str::to_owned));
        }
        let by_flag = self.chance(25) && self.kind == Kind::Overflow;
        for _ in 0..self.random.u8(0..3) {
            self.variable(true);
        }
        if self.chance(8) && self.inputs > 1 && self.kind != Kind::Integer {
            self.inputs -= 2;
            self.uses("havoc");
            flags.push("--havoc-globals".to_owned());
            self.line("unsigned char h;");
            self.add("h".to_owned(), BYTE);
            havoc.push("h".to_owned());
        }
        if !self.places.is_empty() {
            self.uses("global");
        }
        if self.places.is_empty() {
            self.line("unsigned char x0 = 0;");
            self.add("x0".to_owned(), BYTE);
        }
        for _ in 0..self.random.u8(0..3) {
            if self.chance(60) {
                self.function();
            }
        }
        let call = match self.chance(20) && self.kind != Kind::Integer {
            true => self.entry(&mut flags),
            false => {
                self.returns = "return 0;";
                self.open("int main(void) {");
                "main();".to_owned()
            }
        };
        for _ in 0..self.random.u8(1..5) {
            self.variable(false);
        }
        self.budget = self.random.i32(3..11);
        for _ in 0..self.random.u8(0..3) {
            self.statement(0);
        }
        self.repeat(1);
        if self.chance(40) {
            self.repeat(2);
        }
        self.line("return 0;");
        self.close("}");
        let set: String = havoc
            .iter()
            .map(|name| format!("{name} = explorer_input(256); "))
            .collect();
        let end = format!("#ifdef EXPLORED\nvoid program(void) {{ {set}{call} }}\n#endif\n");
        head.push_str(&self.text);
        Made {
            text: head + &end,
            flags,
            havoc,
            integer: self.kind == Kind::Integer,
            wraps: by_flag,
            features: self.features,
        }
    }

    /// The head of a function that is executed in place of `main`; returns how it is called.
    fn entry(&mut self, flags: &mut Vec<String>) -> String {
        self.uses("parameters");
        self.returns = "return 0;";
        flags.extend(["--main", "entry"].map(str::to_owned));
        let (mut declared, mut before, mut values) = (Vec::new(), String::new(), Vec::new());
        let inputs = std::mem::take(&mut self.inputs).max(1);
        for n in 0..inputs.min(3) {
            let (ty, short, count) = self.one(&[
                (BYTE, "uchar", 256),
                (TYPES[3], "char", 256),
                (TYPES[5], "bool", 2),
            ]);
            let (ty, short, count) = if n == 2 {
                (TYPES[5], "bool", 2)
            } else {
                (ty, short, count)
            };
            if n == 1 && self.chance(40) {
                self.uses("pointer parameter");
                declared.push("const unsigned char *q".to_owned());
                before.push_str(
                    "static unsigned char q[8]; for (int i = 0; i < 8; i++) q[i] = explorer_input(i < 2 ? 16 : 1);",
                );
                values.push("q".to_owned());
                for at in 0..2 {
                    let text = format!("(q[{at}] & 15)");
                    self.places.push(Place {
                        text,
                        ty: BYTE,
                        is_constant: true,
                    });
                }
                continue;
            }
            declared.push(format!("{} w{n}", ty.name));
            before.push_str(&format!(
                "explorer_{short} w{n} = explorer_input({count}); "
            ));
            values.push(format!("w{n}"));
            self.add(format!("w{n}"), ty);
        }
        self.open(&format!("int entry({}) {{", declared.join(", ")));
        format!("{before} entry({});", values.join(", "))
    }
}

fn spelled(name: &str) -> &str {
    match name {
        "uint" => "unsigned",
        "uchar" => "unsigned char",
        "bool" => "_Bool",
        _ => name,
    }
}

/// What the macros of `program.h` are for `impasse loops`.
const HEAD: &str = r#"#ifndef EXPLORED
int getchar(void);
void exit(int);
void __VERIFIER_assume(int);
static unsigned long counted;
static int counted2;
#define HEAD(n)
#define CALLED(n, a, b)
#define COUNT(n) n++
#define IN(type, count) (__VERIFIER_nondet_##type() & ((count)-1))
#define IN_MODULO(type, count) (__VERIFIER_nondet_##type() % (count))
#define IN_WHOLE(type, count) __VERIFIER_nondet_##type()
#define IN_BYTE() getchar()
#define ASSUME(condition) __VERIFIER_assume(condition)
#define STOP() exit(0)
#endif
"#;
