//! What `impasse orders` has found out, for people and as JSON.

use super::Fix;
use super::patch::{patch, source_of};
use super::plan::Choice;
use super::trial::Finding;
use crate::limits::INCONCLUSIVE;
use impasse_limits::StopReason;
use impasse_program::atomics::AtomicOperation;
use impasse_program::orders::Orders;
use impasse_report::MemoryModel;
use serde_json::{Value, json};
use std::path::Path;

/// An operation, and what was found out about its orders.
pub struct Operation {
    /// The operation.
    pub operation: AtomicOperation,
    /// Its orders, if they are known.
    pub choice: Option<Choice>,
}

impl Operation {
    /// Its orders as written and those that do, if they differ.
    fn change(&self) -> Option<(Orders, Orders)> {
        let written = self.operation.orders?;
        let orders = self.choice.as_ref()?.orders;
        (orders != written).then_some((written, orders))
    }
}

/// What was found out.
pub struct Advice {
    /// The operations, in the order of the source.
    pub operations: Vec<Operation>,
    /// What is found with the orders as written.
    pub as_written: Finding,
    /// Whether there are orders with which the program is verified.
    pub fixes: Fix,
    /// The memory model of the check as written.
    pub model: Option<MemoryModel>,
    /// Why not all orders were tried.
    pub stopped: Option<StopReason>,
    /// How many checks there were.
    pub trials: u64,
}

impl Advice {
    fn changes(&self) -> Vec<(&AtomicOperation, Orders)> {
        if matches!(self.fixes, Fix::None(_)) {
            return Vec::new();
        }
        let changes = self.operations.iter();
        let changes = changes.filter_map(|o| Some((&o.operation, o.change()?.1)));
        changes.collect()
    }

    /// Returns the patch, which is empty if nothing changes.
    pub fn diff(&self) -> String {
        patch(&self.changes()).0
    }

    /// Returns the exit code, that of `check` for the program as written.
    pub fn exit_code(&self) -> u8 {
        match (&self.as_written, self.stopped) {
            (Finding::Error(_), _) => 1,
            (Finding::Verified, None) => 0,
            _ => INCONCLUSIVE,
        }
    }

    /// The result in one line.
    fn verdict(&self) -> String {
        let model = self
            .model
            .map_or(String::new(), |m| format!(" under {}", m.name()));
        let changes = self.changes().len();
        let orders = |n| match n {
            1 => "1 order".to_owned(),
            n => format!("{n} orders"),
        };
        match (&self.as_written, &self.fixes) {
            (Finding::Verified, _) if self.operations.is_empty() => {
                format!("verified{model}: it has no atomic operation of its own")
            }
            (Finding::Verified, _) if changes == 0 => {
                format!("verified{model}: no memory order can be weaker")
            }
            (Finding::Verified, _) => {
                format!("verified{model}: {} can be weaker", orders(changes))
            }
            (finding, Fix::Found) => {
                format!(
                    "{}: verified with {} stronger",
                    in_words(finding),
                    orders(changes)
                )
            }
            (finding @ Finding::Error(_), Fix::None(Finding::Inconclusive(reason))) => format!(
                "{}: with the strongest memory orders, inconclusive: {reason}",
                in_words(finding)
            ),
            (finding @ Finding::Error(_), _) => {
                format!("{}: no memory orders prevent this", in_words(finding))
            }
            (finding, _) => in_words(finding),
        }
    }

    /// Returns the result for people. `written_to` is the file that has the patch.
    pub fn human(&self, written_to: Option<&Path>) -> String {
        let mut text = self.verdict() + "\n";
        if let (Finding::Error(_), Fix::None(Finding::Error(error))) =
            (&self.as_written, &self.fixes)
        {
            text += &format!(
                "with the strongest ones: {}\n",
                in_words(&Finding::Error(error.clone()))
            );
        }
        if let Some(reason) = self.stopped {
            text += &format!("not all orders were tried: {}\n", reason.in_words());
        }
        if !matches!(self.fixes, Fix::None(_)) {
            text += &self.table();
        }
        let (diff, by_hand) = patch(&self.changes());
        for operation in by_hand {
            text += &format!(
                "change {} by hand: no order is written there\n",
                operation.place
            );
        }
        match written_to {
            Some(path) if !diff.is_empty() => {
                text += &format!("the patch is in {}\n", path.display());
            }
            _ if !diff.is_empty() => text += &format!("\n{diff}"),
            _ => {}
        }
        text
    }

    fn table(&self) -> String {
        let mut rows =
            vec![["place", "operation", "written", "enough", "why not weaker"].map(str::to_owned)];
        rows.extend(self.operations.iter().map(row));
        if rows.len() == 1 {
            return String::new();
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..4).filter_map(width).collect();
        let mut text = String::from("\n");
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line += &format!("{cell:width$}  ");
            }
            text += &format!("{}\n", (line + &row[4]).trim_end());
        }
        text
    }

    /// Returns the result as JSON.
    pub fn json(&self) -> String {
        let (diff, by_hand) = patch(&self.changes());
        let operation = |o: &Operation| {
            let place = &o.operation.place;
            let rejected = o.choice.iter().flat_map(|choice| &choice.rejected);
            let rejected = rejected.map(|(orders, finding)| {
                json!({ "orders": names(*orders), "finding": as_json(finding) })
            });
            json!({
                "file": place.file,
                "line": place.line,
                "column": place.column,
                "kind": o.operation.kind.name(),
                "source": source_of(&o.operation),
                "written": o.operation.orders.map(names),
                "enough": match self.fixes {
                    Fix::None(_) => None,
                    _ => o.choice.as_ref().map(|choice| names(choice.orders)),
                },
                "rejected": rejected.collect::<Vec<_>>(),
                "by_hand": by_hand.iter().any(|other| std::ptr::eq(*other, &o.operation)),
            })
        };
        let strongest = match &self.fixes {
            Fix::None(finding) => Some(as_json(finding)),
            Fix::NotNeeded | Fix::Found => None,
        };
        let value = json!({
            "as_written": as_json(&self.as_written),
            "fixed": matches!(self.fixes, Fix::Found),
            "strongest": strongest,
            "operations": self.operations.iter().map(operation).collect::<Vec<_>>(),
            "patch": diff,
            "stopped": self.stopped.map(|reason| reason.in_words()),
            "trials": self.trials,
        });
        format!("{value:#}\n")
    }
}

fn row(o: &Operation) -> [String; 5] {
    let kind = o.operation.kind.name().to_owned();
    let source = source_of(&o.operation).unwrap_or(kind);
    let place = o.operation.place.to_string();
    let (Some(written), Some(choice)) = (o.operation.orders, &o.choice) else {
        let reason = "it has different orders, or the program computes them";
        return [
            place,
            source,
            "?".into(),
            "as written".into(),
            reason.into(),
        ];
    };
    let why = choice.rejected.iter();
    let why = why.map(|(orders, finding)| format!("{orders}: {}", in_words(finding)));
    let enough = match choice.orders == written {
        true => "as written".to_owned(),
        false => choice.orders.to_string(),
    };
    let why = why.collect::<Vec<_>>().join("; ");
    [place, source, written.to_string(), enough, why]
}

fn names(orders: Orders) -> Vec<&'static str> {
    let all = [Some(orders.order), orders.failure];
    all.into_iter()
        .flatten()
        .map(|order| order.name())
        .collect()
}

fn in_words(finding: &Finding) -> String {
    match finding {
        Finding::Verified => "verified".into(),
        Finding::Error(error) => format!("{} at {}:{}", error.kind, error.file, error.line),
        Finding::Inconclusive(reason) => format!("inconclusive: {reason}"),
    }
}

fn as_json(finding: &Finding) -> Value {
    match finding {
        Finding::Verified => json!({ "verdict": "verified" }),
        Finding::Error(error) => json!({
            "verdict": "error",
            "kind": error.kind,
            "message": error.message,
            "file": error.file,
            "line": error.line,
        }),
        Finding::Inconclusive(reason) => json!({ "verdict": "inconclusive", "reason": reason }),
    }
}
