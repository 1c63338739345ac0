//! Expressions and conditions of programs that are made up.

use super::Maker;

impl Maker {
    pub(super) fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.random.usize(0..of.len())]
    }

    pub(super) fn leaf(&mut self) -> String {
        match self.random.u32(0..5) {
            0 => self.random.u32(0..8).to_string(),
            1 if self.is_weak => {
                let order = self.pick(&["relaxed", "acquire"]);
                format!(
                    "atomic_load_explicit(&{}, memory_order_{order})",
                    self.pick(&["c", "d"])
                )
            }
            1 => self.pick(&["c", "d"]).into(),
            _ => self.readable[self.random.usize(0..self.readable.len())].clone(),
        }
    }

    pub(super) fn expression(&mut self) -> String {
        let (left, right) = (self.leaf(), self.leaf());
        match self.random.u32(0..8) {
            0 | 1 => format!(
                "({left} {} {right})",
                self.pick(&["+", "-", "*", "&", "|", "^"])
            ),
            2 => format!("({left} / 2)"),
            3 => format!("(short)({left} * 3)"),
            4 => format!("({} ? {left} : {right})", self.condition()),
            5 => format!("({left} << {})", self.random.u32(0..3)),
            _ => left,
        }
    }

    pub(super) fn condition(&mut self) -> String {
        let (left, right) = (self.leaf(), self.leaf());
        let operator = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.u32(0..4) {
            0 => format!("({left} % 3 {operator} {right})"),
            1 => format!("({left} + {right} {operator} {})", self.random.u32(0..6)),
            _ => format!("({left} {operator} {right})"),
        }
    }
}
