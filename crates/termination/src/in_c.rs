//! The set of a certificate as conditions that a program in C could write.
//!
//! Each term becomes an expression without side effects whose value is the vector of bits read
//! without sign: of type `unsigned` where 32 bits suffice, otherwise `unsigned long long`. What is
//! wider, may overflow as C computes it, or speaks of something that has no name in the source
//! cannot be written so, and the condition that it is part of is left out: what is left still holds
//! whenever the set does.

use crate::certificate::{AffineRecord, Certificate, Claim, Index, VariableRecord};
use crate::certify::table::{Entry, Operation, Table};
use crate::problem::Reading;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;
use std::fmt::Write;

/// No expression gets longer than this.
const LONGEST: usize = 2000;

/// A variable of the source that is a part of the state.
#[derive(Clone, Debug)]
pub struct Name {
    /// What the source calls it.
    pub text: String,
    /// How its type, one of C's integer types, reads it.
    pub reading: Reading,
}

/// The conditions that hold whenever the iteration begins again, as far as C can say them; a name
/// for each variable of the lasso that has one.
pub fn conditions(certificate: &Certificate, names: &[Option<Name>]) -> Vec<String> {
    let Ok(table) = Table::read(&certificate.lasso.terms) else {
        return Vec::new();
    };
    let variables = &certificate.lasso.variables;
    let named = variables.iter().zip(names);
    let names = named.filter_map(|(variable, name)| Some((variable.term, name.clone()?)));
    let writer = Writer::new(&table, names.collect());
    let written: Vec<Option<String>> = match &certificate.claim {
        Claim::RecurrenceSet { set, .. } => set.iter().map(|&at| writer.condition(at)).collect(),
        Claim::LinearRecurrenceSet { set, .. } => {
            set.iter().map(|row| writer.row(row, variables)).collect()
        }
        Claim::RepeatedState { .. } => Vec::new(),
    };
    let short = written.into_iter().flatten();
    short.filter(|text| text.len() <= LONGEST).collect()
}

/// Writes terms of a table in C.
pub struct Writer<'c> {
    table: &'c Table,
    names: BTreeMap<Index, Name>,
}

impl<'c> Writer<'c> {
    /// Returns one that calls variables, by their places in the table, by these names.
    pub fn new(table: &'c Table, names: BTreeMap<Index, Name>) -> Writer<'c> {
        Writer { table, names }
    }

    /// Returns what a term of one bit asks, or `None` if it cannot be written.
    pub fn condition(&self, at: Index) -> Option<String> {
        use Operation as Op;
        let text = match self.table.entries[at].0 {
            Entry::Constant(value) => value.to_string(),
            Entry::Not(a) => format!("!{}", self.condition(a)?),
            Entry::Two(operation, a, b) if self.table.width(a) == 1 => {
                let sign = match operation {
                    Op::And | Op::Multiply => "&&",
                    Op::Or => "||",
                    Op::Xor | Op::Add | Op::Subtract => "!=",
                    Op::Equal => "==",
                    _ => return None,
                };
                format!("({} {sign} {})", self.condition(a)?, self.condition(b)?)
            }
            Entry::Two(operation, a, b) => self.question(operation, a, b)?,
            Entry::Choose(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|at| self.condition(at));
                format!("({} ? {} : {})", c?, a?, b?)
            }
            Entry::Extract(0, a) => format!("({} & 1)", self.bits(a)?),
            Entry::Extract(low, a) => format!("({} >> {low} & 1)", self.bits(a)?),
            Entry::Variable
            | Entry::Concatenate(..)
            | Entry::ZeroExtend(_)
            | Entry::SignExtend(_) => return None,
        };
        (text.len() <= LONGEST).then_some(text)
    }

    fn question(&self, operation: Operation, a: Index, b: Index) -> Option<String> {
        use Operation as Op;
        let width = self.table.width(a);
        let (sign, signed) = match operation {
            Op::Equal => ("==", false),
            Op::UnsignedLess => ("<", false),
            Op::UnsignedLessEqual => ("<=", false),
            Op::SignedLess => ("<", true),
            Op::SignedLessEqual => ("<=", true),
            _ => return self.overflow(operation, width, a, b),
        };
        let side = |at| match signed {
            true => self.signed(at),
            false => self.bits(at),
        };
        Some(format!("({} {sign} {})", side(a)?, side(b)?))
    }

    /// Whether a result does not fit, where C can compute it in full.
    fn overflow(&self, operation: Operation, width: usize, a: Index, b: Index) -> Option<String> {
        use Operation as Op;
        if width > 32 {
            return None;
        }
        let (sign, signed) = match operation {
            Op::UnsignedAddOverflow => ("+", false),
            Op::UnsignedMultiplyOverflow => ("*", false),
            Op::SignedAddOverflow => ("+", true),
            Op::SignedSubtractOverflow => ("-", true),
            Op::SignedMultiplyOverflow => ("*", true),
            _ => return None,
        };
        if !signed {
            let (a, b) = (self.bits(a)?, self.bits(b)?);
            let all = format!("(unsigned long long){a} {sign} {b}");
            return Some(format!("({all} > {}u)", (1u64 << width) - 1));
        }
        let (a, b) = (self.signed(a)?, self.signed(b)?);
        let all = format!("((long long){a} {sign} {b})");
        let half = 1i64 << (width - 1);
        Some(format!("({all} < -{half}ll || {all} > {}ll)", half - 1))
    }

    fn name(&self, at: Index) -> Option<&Name> {
        self.names.get(&at)
    }

    /// Returns the value of a term, read without sign, or `None` if it cannot be written.
    pub fn bits(&self, at: Index) -> Option<String> {
        use Operation as Op;
        let width = self.table.width(at);
        let cut = |text: String| match (width, mask(width)) {
            (32 | 64, _) => text,
            (_, mask) => format!("({text} & {mask})"),
        };
        let ty = unsigned(width)?;
        let text = match self.table.entries[at].0 {
            _ if width == 1 => format!("(unsigned){}", self.condition(at)?),
            Entry::Variable => {
                let name = self.name(at)?;
                match (width, name.reading) {
                    (32 | 64, Reading::Unsigned) => name.text.clone(),
                    _ => cut(format!("({ty}){}", name.text)),
                }
            }
            Entry::Constant(value) => format!("{value}{}", suffix(width)),
            Entry::Not(a) => cut(format!("~{}", self.bits(a)?)),
            Entry::Two(operation, a, b) => {
                let (left, right) = (self.bits(a)?, self.bits(b)?);
                match operation {
                    Op::Add => cut(format!("({left} + {right})")),
                    Op::Subtract => cut(format!("({left} - {right})")),
                    Op::Multiply => cut(format!("({left} * {right})")),
                    Op::And => format!("({left} & {right})"),
                    Op::Or => format!("({left} | {right})"),
                    Op::Xor => format!("({left} ^ {right})"),
                    Op::UnsignedDivide if self.is_positive(b) => format!("({left} / {right})"),
                    Op::UnsignedRemainder if self.is_positive(b) => format!("({left} % {right})"),
                    Op::UnsignedDivide => {
                        format!("({right} ? {left} / {right} : {})", mask(width))
                    }
                    Op::UnsignedRemainder => format!("({right} ? {left} % {right} : {left})"),
                    Op::ShiftLeft => cut(format!(
                        "({right} < {width} ? {left} << {right} : 0{})",
                        suffix(width)
                    )),
                    Op::LogicalShiftRight => {
                        format!(
                            "({right} < {width} ? {left} >> {right} : 0{})",
                            suffix(width)
                        )
                    }
                    Op::SignedDivide | Op::SignedRemainder => {
                        // Only the least number divided by minus one does not fit.
                        let divisor = self.constant(b)?;
                        let least = 1u128 << (width - 1);
                        if divisor == 0 || divisor == 2 * least - 1 {
                            return None;
                        }
                        let sign = match operation {
                            Op::SignedDivide => '/',
                            _ => '%',
                        };
                        let (left, right) = (self.signed(a)?, self.signed(b)?);
                        cut(format!("({ty})({left} {sign} {right})"))
                    }
                    Op::ArithmeticShiftRight => {
                        let by = self.constant(b)?.min(width as u128 - 1);
                        cut(format!("({ty})({} >> {by})", self.signed(a)?))
                    }
                    _ => return None,
                }
            }
            Entry::Choose(c, a, b) => {
                let c = self.condition(c)?;
                format!("({c} ? {} : {})", self.bits(a)?, self.bits(b)?)
            }
            Entry::Extract(low, a) => {
                format!("(({ty})({} >> {low}) & {})", self.bits(a)?, mask(width))
            }
            Entry::Concatenate(a, b) => {
                let (left, right) = (self.bits(a)?, self.bits(b)?);
                format!("(({ty}){left} << {} | {right})", self.table.width(b))
            }
            Entry::ZeroExtend(a) => format!("({ty}){}", self.bits(a)?),
            Entry::SignExtend(a) => cut(format!("({ty}){}", self.signed(a)?)),
        };
        (text.len() <= LONGEST).then_some(text)
    }

    /// The value of a term, read with sign.
    fn signed(&self, at: Index) -> Option<String> {
        let width = self.table.width(at);
        if let (Some(name), 32 | 64) = (self.name(at), width)
            && name.reading == Reading::Signed
        {
            return Some(name.text.clone());
        }
        if let Some(value) = self.constant(at) {
            let half = 1u128 << (width - 1);
            return Some(match value < half {
                true => format!("{value}{}", if width > 32 { "ll" } else { "" }),
                false => match 2 * half - value {
                    least if least == half => format!("(-{}ll - 1)", half - 1),
                    less => format!("-{less}{}", if width > 32 { "ll" } else { "" }),
                },
            });
        }
        let bits = self.bits(at)?;
        Some(match width {
            32 => format!("(int){bits}"),
            64 => format!("(long long){bits}"),
            1..32 => format!("((int)({bits} << {0}) >> {0})", 32 - width),
            _ => format!("((long long)({bits} << {0}) >> {0})", 64 - width),
        })
    }

    fn is_positive(&self, at: Index) -> bool {
        self.constant(at).is_some_and(|value| value > 0)
    }

    fn constant(&self, at: Index) -> Option<u128> {
        match self.table.entries[at].0 {
            Entry::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// That an expression over integers is at most zero: what is subtracted stands on the right. C
    /// must be able to compute both sides.
    fn row(&self, row: &AffineRecord, variables: &[VariableRecord]) -> Option<String> {
        let mut sides = [Vec::new(), Vec::new()];
        let mut largest = [BigInt::zero(), BigInt::zero()];
        let parts: Vec<_> = row.coefficients.iter().zip(variables).collect();
        let count = parts.iter().filter(|(c, _)| !c.0.is_zero()).count();
        for (coefficient, variable) in parts {
            if coefficient.0.is_zero() {
                continue;
            }
            let name = self.name(variable.term)?;
            let width = self.table.width(variable.term);
            let side = usize::from(coefficient.0.is_negative());
            let factor = coefficient.0.abs();
            largest[side] += &factor << width;
            if width == 64 {
                // Alone, it need not be computed with.
                if count > 1 || factor != BigInt::from(1) {
                    return None;
                }
                return self.alone(name, side == 1, &row.constant.0);
            }
            sides[side].push(match factor == BigInt::from(1) {
                true => format!("(long long){}", name.text),
                false => format!("{factor}ll * {}", name.text),
            });
        }
        let side = usize::from(row.constant.0.is_negative());
        largest[side] += row.constant.0.abs();
        if largest.iter().any(|sum| sum.bits() > 62) {
            return None;
        }
        if !row.constant.0.is_zero() || sides[side].is_empty() {
            sides[side].push(format!("{}ll", row.constant.0.abs()));
        }
        let [left, right] = sides.map(|side| match side.is_empty() {
            true => "0".to_owned(),
            false => side.join(" + "),
        });
        Some(format!("({left} <= {right})"))
    }

    /// A bound of a variable of 64 bits: `x + constant <= 0`, or `constant <= x`.
    fn alone(&self, name: &Name, is_lower: bool, constant: &BigInt) -> Option<String> {
        let bound = match is_lower {
            true => constant.clone(),
            false => -constant,
        };
        let bound = match name.reading {
            Reading::Unsigned => format!("{}ull", bound.to_u64()?),
            Reading::Signed => match bound.to_i64()? {
                i64::MIN => return None,
                bound => format!("{bound}ll"),
            },
        };
        let mut text = String::new();
        let _ = match is_lower {
            true => write!(text, "({bound} <= {})", name.text),
            false => write!(text, "({} <= {bound})", name.text),
        };
        Some(text)
    }
}

/// The type that values of a width are computed in.
fn unsigned(width: usize) -> Option<&'static str> {
    match width {
        ..=32 => Some("unsigned"),
        33..=64 => Some("unsigned long long"),
        _ => None,
    }
}

fn suffix(width: usize) -> &'static str {
    match width {
        ..=32 => "u",
        _ => "ull",
    }
}

/// All bits of a width.
fn mask(width: usize) -> String {
    let all = u128::MAX >> (128 - width.clamp(1, 128));
    format!("{all:#x}{}", suffix(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{self, Integer, IterationSequenceRecord, LassoRecord, Numbers};
    use crate::certificate::{StemRecord, VariableRecord};
    use crate::problem::{Line, Place};
    use impasse_solver::{Binary, Term, Terms, Test, Values};
    use std::process::Command;

    const READINGS: [Reading; 2] = [Reading::Signed, Reading::Unsigned];

    fn claims(terms: Vec<String>, variables: &[Index], claim: Claim) -> Certificate {
        let variable = |&term: &Index| VariableRecord {
            name: String::new(),
            term,
            reading: None,
            place: Place::Local,
        };
        Certificate {
            format: certificate::FORMAT,
            arithmetic: Numbers::Machine,
            lasso: LassoRecord {
                terms,
                header: Line::default(),
                variables: variables.iter().map(variable).collect(),
                stem: StemRecord {
                    inputs: Vec::new(),
                    conditions: Vec::new(),
                    entry: Vec::new(),
                },
                iterations: Vec::new(),
            },
            inputs: Vec::new(),
            before: IterationSequenceRecord::Forced(0),
            claim,
        }
    }

    fn names(reading: Reading) -> Vec<Option<Name>> {
        let name = |text: &str| {
            Some(Name {
                text: text.into(),
                reading,
            })
        };
        vec![name("x"), name("y")]
    }

    /// What a program prints that computes every expression for every pair of values, under the
    /// sanitiser of undefined behaviour.
    fn computed(ty: &str, expressions: &[String], values: &[u128]) -> Vec<u128> {
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("p.c"), folder.path().join("p"));
        let mut text = format!(
            "#include <stdio.h>\nstatic void all({ty} x, {ty} y) {{\n{}}}\nint main(void) {{\n",
            expressions
                .iter()
                .map(|one| format!("printf(\"%llu\\n\", (unsigned long long)({one}));\n"))
                .collect::<String>()
        );
        for (a, b) in pairs(values) {
            let _ = writeln!(text, "all(({ty}){a}ull, ({ty}){b}ull);");
        }
        text.push_str("return 0; }\n");
        std::fs::write(&source, text).unwrap();
        let mut clang = Command::new("clang-19");
        let clang = clang.args(["-w", "-fsanitize=undefined", "-fsanitize-trap=all"]);
        let compiled = clang.arg(&source).arg("-o").arg(&program).output().unwrap();
        assert!(
            compiled.status.success(),
            "{}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        let output = Command::new(&program).output().unwrap();
        assert!(output.status.success(), "{ty}: {}", output.status);
        let output = String::from_utf8(output.stdout).unwrap();
        output.lines().map(|line| line.parse().unwrap()).collect()
    }

    fn pairs(values: &[u128]) -> impl Iterator<Item = (u128, u128)> + '_ {
        values
            .iter()
            .flat_map(|&a| values.iter().map(move |&b| (a, b)))
    }

    /// Every kind of term, of variables and constants, with and without sign.
    #[test]
    fn c_computes_what_terms_mean() {
        let types = [
            (8, ["signed char", "unsigned char"]),
            (16, ["short", "unsigned short"]),
            (32, ["int", "unsigned"]),
            (64, ["long long", "unsigned long long"]),
        ];
        for (width, types) in types {
            let terms = Terms::new();
            let (x, y) = (terms.symbol("x", width), terms.symbol("y", width));
            let (a, b) = (terms.variable(x), terms.variable(y));
            let mut roots: Vec<Term> = vec![
                terms.not(a),
                terms.choose(terms.extract(b, 3, 1), a, b),
                terms.extract(a, 2, 5),
                terms.zero_extend(terms.extract(a, 0, 7), width),
                terms.sign_extend(terms.extract(a, 1, 6), width),
                terms.concatenate(
                    terms.extract(a, 0, width / 2),
                    terms.extract(b, 1, width / 2),
                ),
            ];
            let all = u128::MAX >> (128 - u32::from(width));
            for c in [1, 3, all / 2, all / 2 + 1, all - 1, all] {
                let c = terms.constant(c, width);
                roots.extend(Binary::ALL.map(|operation| terms.binary(operation, a, c)));
                roots.extend(Test::ALL.map(|test| terms.test(test, c, a)));
            }
            roots.extend(Binary::ALL.map(|operation| terms.binary(operation, a, b)));
            let tests = Test::ALL.map(|test| terms.test(test, a, b));
            roots.extend(tests);
            roots.extend([
                terms.and(tests[0], tests[1]),
                terms.or(terms.not(tests[1]), tests[3]),
            ]);
            let mut writer = certificate::Writer::new(&terms);
            let places: Vec<Index> = roots.iter().map(|&root| writer.write(root)).collect();
            let variables = [writer.write(a), writer.write(b)];
            let table = Table::read(&writer.into_lines()).unwrap();
            for (reading, ty) in READINGS.into_iter().zip(types) {
                let named = variables.into_iter().zip(names(reading));
                let named = named.filter_map(|(at, name)| Some((at, name?)));
                let writer = Writer::new(&table, named.collect());
                let written = roots.iter().zip(&places).filter_map(|(&root, &at)| {
                    let text = match terms.width(root) {
                        1 => writer.condition(at),
                        _ => writer.bits(at),
                    };
                    Some((root, text?))
                });
                let (written, texts): (Vec<Term>, Vec<String>) = written.unzip();
                assert!(written.len() * 4 > roots.len() * 3, "{}", written.len());
                let values = [0, 1, 2, 5, 200, all / 2, all / 2 + 1, all - 1, all]
                    .map(|value: u128| value & all);
                let found = computed(ty, &texts, &values);
                let mut found = found.into_iter();
                for (one, other) in pairs(&values) {
                    let given: Values = [(x, one), (y, other)].into_iter().collect();
                    for (&root, text) in written.iter().zip(&texts) {
                        let value = terms.value(root, &given);
                        assert_eq!(found.next(), Some(value), "{ty} {one} {other}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_are_comparisons() {
        let table = |width: usize| vec![format!("{width} variable"); 2];
        let row = |x: i64, y: i64, constant: i64| AffineRecord {
            coefficients: vec![Integer(x.into()), Integer(y.into())],
            constant: Integer(constant.into()),
        };
        let shown = |width: usize, reading: Reading, row: AffineRecord| {
            let claim = Claim::LinearRecurrenceSet {
                shown: Vec::new(),
                iterations: 1,
                fixed: false,
                policy: Vec::new(),
                set: vec![row],
                multipliers: Vec::new(),
            };
            let certificate = claims(table(width), &[0, 1], claim);
            conditions(&certificate, &names(reading)).pop()
        };
        let is = |text: &str| Some(text.to_owned());
        use Reading::{Signed, Unsigned};
        assert_eq!(
            shown(32, Signed, row(-1, 0, 4)),
            is("(4ll <= (long long)x)")
        );
        assert_eq!(
            shown(32, Unsigned, row(3, -1, -7)),
            is("(3ll * x <= (long long)y + 7ll)")
        );
        assert_eq!(
            shown(32, Signed, row(-1, 0, 0)),
            is("(0ll <= (long long)x)")
        );
        assert_eq!(shown(64, Signed, row(1, 0, 9)), is("(x <= -9ll)"));
        assert_eq!(shown(64, Unsigned, row(-1, 0, 9)), is("(9ull <= x)"));
        // What C cannot compute in 64 bits, or cannot be.
        assert_eq!(shown(64, Signed, row(1, 1, 0)), None);
        assert_eq!(shown(64, Unsigned, row(1, 0, 9)), None);
        assert_eq!(shown(32, Signed, row(1 << 40, 1, 0)), None);
    }
}
