//! Expressions, conditions and assignments.

use super::{Expression, Kind, Maker, Place, TYPES};

impl Maker {
    /// An input, if there are not too many of them already.
    pub(super) fn input(&mut self) -> Option<Expression> {
        if self.inputs == 0 {
            return None;
        }
        let at = self.random.u8(0..8);
        let cost = if at < 5 { 1 } else { 2 };
        if self.inputs < cost {
            return None;
        }
        self.inputs -= cost;
        if self.bytes && self.chance(60) {
            self.uses("getchar");
            return Some(("IN_BYTE()".to_owned(), 255));
        }
        let few = self.one(&[2i64, 4, 8, 16]);
        let some = self.one(&[3i64, 5, 6, 10]);
        Some(match at {
            0..=1 => (format!("IN(uchar, {few})"), few - 1),
            2 if self.kind != Kind::Integer => (format!("IN(int, {few})"), few - 1),
            2 | 3 => (format!("IN_MODULO(uint, {some})"), some - 1),
            4 => ("IN_WHOLE(bool, 2)".to_owned(), 1),
            5..=6 => ("IN_WHOLE(uchar, 256)".to_owned(), 255),
            _ => ("IN_WHOLE(char, 256)".to_owned(), 128),
        })
    }

    pub(super) fn place(&mut self) -> Place {
        let all: Vec<Place> = self.places.clone();
        self.one(&all)
    }

    /// Something to assign to; rarely what an enclosing loop counts with.
    pub(super) fn target(&mut self) -> Place {
        for _ in 0..20 {
            let place = self.place();
            let counts = self.counting.contains(&place.text) && !self.chance(12);
            if !place.is_constant && !counts {
                return place;
            }
        }
        let free = |place: &&Place| !place.is_constant;
        self.places.iter().find(free).expect("a variable").clone()
    }

    pub(super) fn constant(&mut self) -> i64 {
        self.one(&[
            0, 1, 1, 2, 3, 4, 5, 7, 8, 10, 16, 31, 64, 100, 127, 128, 200, 255,
        ])
    }

    pub(super) fn atom(&mut self) -> Expression {
        if self.chance(30) {
            let constant = self.constant();
            return (constant.to_string(), constant);
        }
        let place = self.place();
        (place.text.clone(), place.ty.high.max(-place.ty.low))
    }

    pub(super) fn expression(&mut self, depth: u32) -> Expression {
        if depth == 0 || self.chance(25) {
            return self.atom();
        }
        let (left, size) = self.expression(depth - 1);
        let (right, other) = self.expression(depth - 1);
        let is_number = |text: &str| text.parse::<i64>().is_ok();
        if left == right || is_number(&left) && is_number(&right) {
            return self.atom();
        }
        match self.random.u8(0..16) {
            0..=3 => (format!("({left} + {right})"), size + other),
            4..=6 => (format!("({left} - {right})"), size + other),
            7 if size < 1 << 20 => {
                let by = self.one(&[2, 3, 5, 7]);
                (format!("({left} * {by})"), size * by)
            }
            8 => {
                let by = self.one(&[2, 3, 4, 7, 10]);
                let how = self.one(&["/", "%"]);
                (format!("({left} {how} {by})"), size)
            }
            9 if self.kind == Kind::Undefined => {
                let how = self.one(&["/", "%"]);
                (format!("({left} {how} {right})"), size)
            }
            9..=15 if self.kind == Kind::Integer => (format!("({left} - 1)"), size + 1),
            9 => {
                self.uses("division");
                let how = self.one(&["/", "%"]);
                (format!("({left} {how} (({right} & 3) + 1))"), size)
            }
            10 => {
                self.uses("bits");
                let how = self.one(&["&", "|", "^"]);
                let bound = 2 * (size.max(other) + 1);
                (format!("({left} {how} {right})"), bound)
            }
            11 => {
                self.uses("shift");
                match self.chance(50) {
                    true => (format!("(({left} & 31) << ({right} & 3))"), 31 << 3),
                    false => (format!("({left} >> ({right} & 7))"), size),
                }
            }
            12 => {
                self.uses("cast");
                let ty = self.one(&TYPES[..6]);
                (format!("({})({left} + {right})", ty.name), 255)
            }
            13 => {
                let condition = self.condition(1);
                self.uses("conditional");
                (format!("({condition} ? {left} : {right})"), size.max(other))
            }
            14 => match self.chance(50) {
                true => (format!("-({left})"), size),
                false => (format!("~({left})"), size + 1),
            },
            _ => {
                let how = self.one(&["<", "==", "!="]);
                (format!("({left} {how} {right})"), 1)
            }
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        let place = self.place();
        if depth > 0 && self.chance(20) {
            let how = self.one(&["&&", "||"]);
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return format!("({left} {how} {right})");
        }
        let (mut right, _) = match self.chance(60) {
            true => self.atom(),
            false => self.expression(1),
        };
        if right == place.text {
            right = self.constant().to_string();
        }
        match self.random.u8(0..12) {
            0 => place.text.clone(),
            1 => format!("!{}", place.text),
            2 if self.kind != Kind::Integer => {
                let bit = self.one(&[1, 2, 4, 6, 8]);
                format!("({} & {bit})", place.text)
            }
            3 => {
                let (left, _) = self.expression(1);
                let how = self.one(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{left} {how} {right}")
            }
            _ => {
                let how = self.one(&["<", "<=", ">", ">=", "!=", "!=", "=="]);
                format!("{} {how} {right}", place.text)
            }
        }
    }

    /// An assignment without a semicolon.
    pub(super) fn assignment(&mut self) -> String {
        let target = self.target();
        let name = &target.text;
        if self.kind == Kind::Overflow && target.ty.name == "int" && self.chance(60) {
            let (value, _) = self.atom();
            self.uses("overflow");
            let how = self.one(&[
                " += 1000000000",
                " -= 2000000000",
                " *= 2",
                " *= 3",
                " += ?",
            ]);
            return format!("{name}{}", how.replace('?', &value));
        }
        let is_wide = target.ty.is_wide && self.kind != Kind::Integer;
        let step = self.one(&[1, 1, 1, 2, 3, 5, 16, 255]);
        match self.random.u8(0..10) {
            0..=1 if !is_wide => {
                let how = self.one(&["++", "--"]);
                format!("{name}{how}")
            }
            2..=3 if !is_wide => {
                let how = self.one(&["+=", "-="]);
                format!("{name} {how} {step}")
            }
            0..=3 => {
                let (how, mask) = (self.one(&["+", "-"]), self.one(&[7, 15, 15, 31, 127, 255]));
                match self.chance(70) {
                    true => format!("{name} = ({name} {how} {step}) & {mask}"),
                    false => format!(
                        "{name} = ({name} {how} {step}) % {}",
                        self.one(&[5, 10, 100])
                    ),
                }
            }
            4 if !is_wide && self.kind != Kind::Integer => {
                let how = self.one(&["^=", "|=", "&=", ">>=", "/="]);
                match how {
                    ">>=" => format!("{name} >>= 1"),
                    "/=" => format!("{name} /= 2"),
                    _ => format!("{name} {how} {}", self.atom().0),
                }
            }
            5 if self.chance(60) => match self.input() {
                Some((value, _)) => {
                    self.uses("input");
                    format!("{name} = {value}")
                }
                None => self.assigned(name, is_wide),
            },
            _ => self.assigned(name, is_wide),
        }
    }

    pub(super) fn assigned(&mut self, name: &str, is_wide: bool) -> String {
        let (value, _) = self.expression(2);
        if !is_wide {
            return format!("{name} = {value}");
        }
        match self.chance(80) {
            true => format!("{name} = {value} & {}", self.one(&[7, 15, 31, 255])),
            false => format!("{name} = {value} % {}", self.one(&[5, 10, 100])),
        }
    }
}
