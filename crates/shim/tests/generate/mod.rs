//! Random SHIM programs.

use fastrand::Rng;

/// How programs are made.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Channels of `main`.
    pub channels: usize,
    /// Statements in a block.
    pub length: usize,
    /// How deep `par` may nest.
    pub depth: usize,
    /// Whether branches ask for input.
    pub open: bool,
    /// Whether exceptions are thrown.
    pub exceptions: bool,
    /// Whether `main` has parameters, and arrays are indexed by them and by all else.
    pub arrays: bool,
}

struct Generator {
    rng: Rng,
    shape: Shape,
    counters: usize,
    tasks: usize,
    functions: String,
}

/// A program that compiles, made from a seed.
pub fn program(seed: u64, shape: Shape) -> String {
    let mut generator = Generator {
        rng: Rng::with_seed(seed),
        shape,
        counters: 0,
        tasks: 0,
        functions: String::new(),
    };
    let names: Vec<String> = (0..shape.channels).map(|c| format!("c{c}")).collect();
    let writable = vec![true; names.len()];
    let mut body = generator.block(&names, &writable, shape.depth, 1, false);
    if shape.arrays {
        body += &generator.par(&names, &writable, shape.depth.max(1), 1);
    }
    let (parameters, arrays) = if shape.arrays {
        (PARAMETERS, generator.arrays(1))
    } else {
        ("", String::new())
    };
    format!(
        "{}{}void main({parameters}) {{\n  int x = {}, y = 0;\n{arrays}  chan int {};\n{body}}}\n",
        if shape.arrays { HELPERS } else { "" },
        generator.functions,
        seed % 5,
        names.join(", ")
    )
}

/// The parameters of `main` where there are arrays: all their values are tried.
pub const PARAMETERS: &str = "int<0,4> i, uint2 j, bool b";

const HELPERS: &str = "\
struct pair { int v; int w[2]; };
void raise(int &n) { n = n + 1; }
void turn(int &r[2]) { int n = r[0]; r[0] = r[1]; r[1] = n; }
int sum(int r[2]) { r[0] = r[0] + r[1]; return r[0]; }
int third(struct pair p) { return p.v + p.w[1]; }
";

impl Generator {
    fn block(
        &mut self,
        names: &[String],
        writable: &[bool],
        depth: usize,
        indent: usize,
        caught: bool,
    ) -> String {
        let count = self.rng.usize(1..=self.shape.length);
        (0..count)
            .map(|_| self.statement(names, writable, depth, indent, caught))
            .collect()
    }

    fn condition(&mut self) -> String {
        if self.shape.arrays && self.rng.u8(0..3) > 0 {
            let other = ["x", "1", "2", "j"][self.rng.usize(0..4)];
            let op = ["==", "<", "!="][self.rng.usize(0..3)];
            return format!("{} {op} {other}", self.element(1));
        }
        if self.shape.open && self.rng.u8(0..3) > 0 {
            return ["input() > 0", "x > 1", "y > x", "y == 2"][self.rng.usize(0..4)].into();
        }
        let name = ["x", "y"][self.rng.usize(0..2)];
        let (divisor, rest) = (self.rng.i32(2..4), self.rng.i32(0..2));
        format!("{name} % {divisor} == {rest}")
    }

    /// Arrays of each kind with numbers in them.
    fn arrays(&mut self, indent: usize) -> String {
        let pad = "  ".repeat(indent);
        let mut number = || self.rng.i32(0..4).to_string();
        let t: Vec<String> = (0..4).map(|_| number()).collect();
        let u: Vec<String> = (0..3)
            .map(|_| format!("{{{}, {}}}", number(), number()))
            .collect();
        let (t, u) = (t.join(", "), u.join(", "));
        format!("{pad}int t[4] = {{{t}}}, u[3][2] = {{{u}}};\n{pad}struct pair p[2];\n")
    }

    /// An index of an array of so many elements, now and then beyond its bounds.
    fn index(&mut self, count: u32, depth: usize) -> String {
        let inner = match self.rng.u8(0..10) {
            0..2 => "i".into(),
            2..4 => "j".into(),
            4 => "b".into(),
            5 => "x".into(),
            6 if self.shape.open => "input()".into(),
            7..9 if depth > 0 => self.element(depth - 1),
            _ => "y".into(),
        };
        match (self.rng.u8(0..40), count) {
            (0, _) => inner,
            (1, _) => format!("{}", self.rng.u32(0..count)),
            (_, 3) => format!("({inner} & 3) % 3"),
            (_, _) => format!("({inner} & {})", count - 1),
        }
    }

    /// A number in an array.
    fn element(&mut self, depth: usize) -> String {
        match self.rng.u8(0..5) {
            0..2 => format!("t[{}]", self.index(4, depth)),
            2 => format!("u[{}][{}]", self.index(3, depth), self.index(2, depth)),
            3 => format!("p[{}].v", self.index(2, depth)),
            _ => format!("p[{}].w[{}]", self.index(2, depth), self.index(2, depth)),
        }
    }

    fn array_statement(&mut self) -> String {
        match self.rng.u8(0..10) {
            0..2 => format!(
                "{} = {};",
                self.element(1),
                ["x", "y", "i", "7"][self.rng.usize(0..4)]
            ),
            2..4 => format!("x = {};", self.element(1)),
            4 => format!("raise({});", self.element(0)),
            5 => format!("turn(u[{}]);", self.index(3, 0)),
            6 => format!("y = sum(u[{}]);", self.index(3, 0)),
            7 => format!("u[{}] = u[{}];", self.index(3, 0), self.index(3, 0)),
            8 => format!("p[{}] = p[{}];", self.index(2, 0), self.index(2, 0)),
            _ => format!("y = third(p[{}]) + {};", self.index(2, 0), self.element(0)),
        }
    }

    fn computation(&mut self) -> String {
        if self.shape.arrays && self.rng.u8(0..3) > 0 {
            return self.array_statement();
        }
        match self.rng.u8(0..6) {
            0 => "y = x;".into(),
            1 => "x = y;".into(),
            2 => format!("y = x + {};", self.rng.i32(-1..3)),
            3 if self.shape.open => "x = input();".into(),
            _ => format!("x = x * 3 + {};", self.rng.i32(0..5)),
        }
    }

    fn statement(
        &mut self,
        names: &[String],
        writable: &[bool],
        depth: usize,
        indent: usize,
        caught: bool,
    ) -> String {
        let pad = "  ".repeat(indent);
        if self.shape.arrays && names.len() > 1 && self.rng.u8(0..4) == 0 {
            return self.order(names, indent);
        }
        let pick = if indent > 5 {
            self.rng.u8(0..50)
        } else {
            self.rng.u8(0..100)
        };
        if names.is_empty() || pick < 14 {
            return format!("{pad}{}\n", self.computation());
        }
        let channel = self.rng.usize(0..names.len());
        let name = &names[channel];
        match pick {
            14..50 if writable[channel] && self.rng.bool() => {
                format!("{pad}next {name} = x + {};\n", self.rng.i32(0..4))
            }
            14..40 => format!("{pad}next {name};\n"),
            40..50 => format!("{pad}x = x + next {name};\n"),
            50..64 => {
                let condition = self.condition();
                let yes = self.block(names, writable, depth, indent + 1, caught);
                if self.rng.bool() {
                    let no = self.block(names, writable, depth, indent + 1, caught);
                    format!("{pad}if ({condition}) {{\n{yes}{pad}}} else {{\n{no}{pad}}}\n")
                } else {
                    format!("{pad}if ({condition}) {{\n{yes}{pad}}}\n")
                }
            }
            64..72 => {
                self.counters += 1;
                let counter = format!("k{}", self.counters);
                let rounds = self.rng.i32(1..4);
                let body = self.block(names, writable, depth.min(1), indent + 1, caught);
                format!(
                    "{pad}for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{\n{body}{pad}}}\n"
                )
            }
            72..75 => {
                let body = self.block(names, writable, 0, indent + 1, caught);
                format!("{pad}for (;;) {{\n{pad}  next {name};\n{body}{pad}}}\n")
            }
            75..80 if caught && self.shape.exceptions => {
                format!("{pad}throw E{};\n", self.rng.u8(0..2))
            }
            80..84 if self.shape.exceptions => {
                let both = format!("E{}", self.rng.u8(0..2));
                let body = self.block(names, writable, depth, indent + 1, caught);
                let handler = self.block(names, writable, depth.min(1), indent + 1, caught);
                format!("{pad}try {{\n{body}{pad}}} catch ({both}) {{\n{handler}{pad}}}\n")
            }
            84..90 if depth > 0 && self.tasks < 9 => {
                self.call(names, writable, depth, indent, caught)
            }
            _ if depth > 0 && self.tasks < 9 => self.par(names, writable, depth, indent),
            _ => format!("{pad}next {name};\n"),
        }
    }

    /// Communicates on two channels in an order that data decide.
    fn order(&mut self, names: &[String], indent: usize) -> String {
        let pad = "  ".repeat(indent);
        let first = self.rng.usize(0..names.len());
        let second = (first + self.rng.usize(1..names.len())) % names.len();
        let (a, b) = (&names[first], &names[second]);
        let condition = self.condition();
        format!("{pad}if ({condition}) {{ next {a}; next {b}; }} else {{ next {b}; next {a}; }}\n")
    }

    /// A function of its own and its call.
    fn call(
        &mut self,
        names: &[String],
        writable: &[bool],
        depth: usize,
        indent: usize,
        caught: bool,
    ) -> String {
        self.tasks += 1;
        let pad = "  ".repeat(indent);
        let name = format!("f{}", self.tasks);
        let chosen: Vec<usize> = (0..names.len()).filter(|_| self.rng.bool()).collect();
        let inner: Vec<String> = chosen.iter().map(|c| format!("p{c}")).collect();
        let can_write: Vec<bool> = chosen
            .iter()
            .map(|c| writable[*c] && self.rng.bool())
            .collect();
        let body = self.block(&inner, &can_write, depth - 1, 1, caught);
        let params: Vec<String> = inner
            .iter()
            .zip(&can_write)
            .map(|(p, w)| format!("chan int {}{p}", if *w { "&" } else { "" }))
            .collect();
        let (more, given) = if self.shape.arrays {
            let row = self.index(3, 0);
            let more =
                format!(", {PARAMETERS}, int &t[4], int u[3][2], struct pair p[2], int &r[2]");
            (more, format!(", i, j, b, t, u, p, u[{row}]"))
        } else {
            (String::new(), String::new())
        };
        self.functions.push_str(&format!(
            "void {name}(int x{more}{}{}) {{\n  int y = 1;\n{body}}}\n",
            if params.is_empty() { "" } else { ", " },
            params.join(", ")
        ));
        let args: String = chosen.iter().map(|c| format!(", {}", names[*c])).collect();
        format!("{pad}{name}(x{given}{args});\n")
    }

    fn par(&mut self, names: &[String], writable: &[bool], depth: usize, indent: usize) -> String {
        let pad = "  ".repeat(indent);
        let branches = self.rng.usize(2..=3);
        self.tasks += branches;
        let writers: Vec<usize> = names.iter().map(|_| self.rng.usize(0..branches)).collect();
        let wrapped = self.shape.exceptions && self.rng.bool();
        let mut parts = Vec::new();
        for branch in 0..branches {
            let all = self.shape.arrays;
            let keep: Vec<usize> = (0..names.len())
                .filter(|_| self.rng.u8(0..4) > 0 || all)
                .collect();
            let inner: Vec<String> = keep.iter().map(|c| names[*c].clone()).collect();
            let can_write: Vec<bool> = keep
                .iter()
                .map(|c| writable[*c] && writers[*c] == branch)
                .collect();
            let body = self.block(&inner, &can_write, depth - 1, indent + 1, wrapped);
            let arrays = if self.shape.arrays {
                self.arrays(indent + 1)
            } else {
                String::new()
            };
            parts.push(format!(
                "{{\n{pad}  int x = {branch}, y = 2;\n{arrays}{body}{pad}}}"
            ));
        }
        let par = format!("{pad}{}\n", parts.join(" par "));
        if wrapped {
            let handler = self.block(names, writable, 0, indent + 1, false);
            format!(
                "{pad}try {{ try {{\n{par}{pad}}} catch (E0) {{\n{handler}{pad}}} }} catch (E1) {{ }}\n"
            )
        } else {
            par
        }
    }
}
