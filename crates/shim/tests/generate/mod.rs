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
    let body = generator.block(&names, &writable, shape.depth, 1, false);
    format!(
        "{}void main() {{\n  int x = {}, y = 0;\n  chan int {};\n{body}}}\n",
        generator.functions,
        seed % 5,
        names.join(", ")
    )
}

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
        if self.shape.open && self.rng.u8(0..3) > 0 {
            return ["input() > 0", "x > 1", "y > x", "y == 2"][self.rng.usize(0..4)].into();
        }
        let name = ["x", "y"][self.rng.usize(0..2)];
        let (divisor, rest) = (self.rng.i32(2..4), self.rng.i32(0..2));
        format!("{name} % {divisor} == {rest}")
    }

    fn computation(&mut self) -> String {
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
        self.functions.push_str(&format!(
            "void {name}(int x{}{}) {{\n  int y = 1;\n{body}}}\n",
            if params.is_empty() { "" } else { ", " },
            params.join(", ")
        ));
        let args: String = chosen.iter().map(|c| format!(", {}", names[*c])).collect();
        format!("{pad}{name}(x{args});\n")
    }

    fn par(&mut self, names: &[String], writable: &[bool], depth: usize, indent: usize) -> String {
        let pad = "  ".repeat(indent);
        let branches = self.rng.usize(2..=3);
        self.tasks += branches;
        let writers: Vec<usize> = names.iter().map(|_| self.rng.usize(0..branches)).collect();
        let wrapped = self.shape.exceptions && self.rng.bool();
        let mut parts = Vec::new();
        for branch in 0..branches {
            let keep: Vec<usize> = (0..names.len()).filter(|_| self.rng.u8(0..4) > 0).collect();
            let inner: Vec<String> = keep.iter().map(|c| names[*c].clone()).collect();
            let can_write: Vec<bool> = keep
                .iter()
                .map(|c| writable[*c] && writers[*c] == branch)
                .collect();
            let body = self.block(&inner, &can_write, depth - 1, indent + 1, wrapped);
            parts.push(format!(
                "{{\n{pad}  int x = {branch}, y = 2;\n{body}{pad}}}"
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
