//! Statements.

use super::{BYTE, Kind, Maker, Place};

impl Maker {
    pub(super) fn block(&mut self, depth: u32) {
        let places = self.places.len();
        if self.chance(15) {
            self.variable(false);
        }
        for _ in 0..self.random.u8(1..4) {
            self.statement(depth);
        }
        self.places.truncate(places);
    }

    pub(super) fn statement(&mut self, depth: u32) {
        self.budget -= 1;
        if self.budget < 0 {
            let assignment = self.assignment();
            self.line(&format!("{assignment};"));
            return;
        }
        match self.random.u8(0..25) {
            0..=9 => {
                let assignment = self.assignment();
                self.line(&format!("{assignment};"));
            }
            10..=13 => self.branch(depth),
            14..=15 if depth > 0 => self.repeat(depth - 1),
            16 if self.in_loop => {
                let condition = self.condition(1);
                let what = self.one(&["break", "continue", "break"]);
                self.line(&format!("if ({condition})"));
                self.line(&format!("    {what};"));
                self.uses("break");
            }
            17 => self.switch(depth),
            18..=19 if !self.functions.is_empty() => self.call(),
            20 => {
                let condition = self.condition(0);
                let stop = self.one(&["ASSUME", "STOP", "return"]);
                let returns = self.returns;
                match stop {
                    "ASSUME" => self.line(&format!("{{ ASSUME({condition}); }}")),
                    "STOP" => self.line(&format!("if ({condition}) STOP();")),
                    _ => self.line(&format!("if ({condition}) {returns}")),
                }
            }
            21 => {
                let (first, second) = (self.assignment(), self.assignment());
                self.line(&format!("{first}, {second};"));
                self.uses("comma");
            }
            22 => {
                let counter = self.one(&["counted", "counted2"]);
                self.line(&format!("COUNT({counter});"));
                self.uses("counter");
            }
            _ => {
                let assignment = self.assignment();
                self.line(&format!("{assignment};"));
            }
        }
    }

    pub(super) fn branch(&mut self, depth: u32) {
        let condition = self.condition(1);
        self.open(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.chance(45) {
            self.close("} else {");
            self.pad += 4;
            self.block(depth);
        }
        self.close("}");
    }

    pub(super) fn switch(&mut self, depth: u32) {
        self.uses("switch");
        let (value, _) = self.expression(1);
        let value = match self.kind == Kind::Integer {
            true => format!("{value} % 3"),
            false => format!("{value} & 3"),
        };
        self.open(&format!("switch ({value}) {{"));
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        for case in ["case 0:", "case 1:", "case 2:", "default:"] {
            if self.chance(25) {
                continue;
            }
            self.open(&format!("{case} {{"));
            for _ in 0..self.random.u8(1..3) {
                self.statement(depth.saturating_sub(1));
            }
            self.close("}");
            if self.chance(75) {
                self.line("    break;");
            }
        }
        self.in_loop = in_loop;
        self.line("    ;");
        self.close("}");
    }

    pub(super) fn call(&mut self) {
        let at = self.random.usize(0..self.functions.len());
        let function = &self.functions[at];
        let (name, count, by_address) = (
            function.name.clone(),
            function.parameters.len(),
            function.by_address,
        );
        if by_address {
            let of_type = |place: &&Place| place.ty == BYTE && !place.is_constant;
            let places: Vec<Place> = self.places.iter().filter(of_type).cloned().collect();
            if places.is_empty() {
                return;
            }
            let place = self.one(&places);
            if place.text.contains("volatile") {
                return;
            }
            self.uses("by address");
            self.line(&format!("{name}(&{});", place.text));
            return;
        }
        let values: Vec<String> = (0..count).map(|_| self.expression(1).0).collect();
        let call = format!("{name}({})", values.join(", "));
        self.uses("call");
        match self.chance(75) {
            true => {
                let target = self.target();
                match target.ty.is_wide && self.kind != Kind::Integer {
                    true => self.line(&format!("{} = {call} & 31;", target.text)),
                    false => self.line(&format!("{} = {call};", target.text)),
                }
            }
            false => {
                let target = self.target().text;
                self.line(&format!("if ({call} > 3) {target}++;"));
            }
        }
    }

    pub(super) fn head(&mut self) -> String {
        self.heads += 1;
        format!("HEAD({});", self.heads)
    }

    /// A step of what a loop counts with.
    pub(super) fn step(&mut self, place: &Place) -> String {
        let by = self.one(&[1, 1, 1, 1, 2, 3]);
        let how = self.one(&["+", "-"]);
        let name = &place.text;
        match place.ty.is_wide && self.kind != Kind::Integer && self.chance(50) {
            true => format!(
                "{name} = ({name} {how} {by}) & {}",
                self.one(&[15, 31, 255])
            ),
            false => match (self.one(&[0, 1]), by) {
                (0, 1) => format!("{name}{how}{how}"),
                _ => format!("{name} {how}= {by}"),
            },
        }
    }

    pub(super) fn repeat(&mut self, depth: u32) {
        let counter = self.target();
        let in_loop = std::mem::replace(&mut self.in_loop, true);
        let name = counter.text.clone();
        self.counting.push(name.clone());
        match self.random.u8(0..10) {
            0..=2 => self.counting_loop(depth, &counter),
            3..=5 => self.while_loop(depth, &counter),
            6 => {
                self.uses("do");
                let condition = self.condition(1);
                self.open("do {");
                let head = self.head();
                self.line(&head);
                self.body(depth, &counter);
                self.close(&format!("}} while ({condition});"));
            }
            7 => {
                self.open("for (;;) {");
                let head = self.head();
                self.line(&head);
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) break;"));
                self.body(depth, &counter);
                self.close("}");
            }
            8 => self.goto_loop(depth, &counter, in_loop),
            _ => {
                // A condition with an effect.
                let (how, than) = (
                    self.one(&["--", "++"]),
                    self.one(&["> 0", "< 10", "!= 0", "!= 7"]),
                );
                let more = match self.chance(40) {
                    true => format!(" && {}", self.condition(0)),
                    false => String::new(),
                };
                self.uses("effect");
                self.open(&format!("while ({name}{how} {than}{more}) {{"));
                let head = self.head();
                self.line(&head);
                self.block(depth);
                self.close("}");
            }
        }
        self.counting.pop();
        self.in_loop = in_loop;
    }

    pub(super) fn counting_loop(&mut self, depth: u32, counter: &Place) {
        let name = &counter.text;
        let (bound, _) = self.atom();
        let (how, step) = match self.chance(75) {
            true => (
                self.one(&["<", "<", "<=", "!="]),
                self.one(&["++", "++", " += 2", " += 3"]),
            ),
            false => (
                self.one(&[">", ">=", "!="]),
                self.one(&["--", "--", " -= 2", " /= 2"]),
            ),
        };
        let start = match how {
            "<" | "<=" => self.one(&["0", "0", "1", "3"]).to_owned(),
            _ => self.atom().0,
        };
        self.open(&format!(
            "for ({name} = {start}; {name} {how} {bound}; {name}{step}) {{"
        ));
        let head = self.head();
        self.line(&head);
        self.block(depth);
        self.close("}");
    }

    pub(super) fn while_loop(&mut self, depth: u32, counter: &Place) {
        let condition = match self.chance(70) {
            true => {
                let how = self.one(&["<", "<=", ">", ">=", "!=", "!="]);
                let (bound, _) = self.atom();
                let more = match self.chance(30) {
                    true => format!(" {} {}", self.one(&["&&", "||"]), self.condition(0)),
                    false => String::new(),
                };
                format!("{} {how} {bound}{more}", counter.text)
            }
            false => self.condition(1),
        };
        self.open(&format!("while ({condition}) {{"));
        let head = self.head();
        self.line(&head);
        self.body(depth, counter);
        self.close("}");
    }

    pub(super) fn goto_loop(&mut self, depth: u32, counter: &Place, in_loop: bool) {
        self.uses("goto");
        self.in_loop = in_loop;
        let label = self.name("again");
        self.line(&format!("{label}:;"));
        let head = self.head();
        self.line(&head);
        let condition = self.condition(1);
        self.open("{");
        self.body(depth, counter);
        self.close("}");
        self.line(&format!("if ({condition}) goto {label};"));
    }

    pub(super) fn body(&mut self, depth: u32, counter: &Place) {
        let step = self.step(counter);
        let where_to = self.random.u8(0..10);
        if where_to < 3 {
            self.line(&format!("{step};"));
        }
        self.block(depth);
        match where_to {
            3..=6 => self.line(&format!("{step};")),
            7..=8 => {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) {step};"));
            }
            _ => {}
        }
    }
}
