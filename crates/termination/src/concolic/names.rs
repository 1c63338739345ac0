//! What people call the parts of a state.

use super::reading::reading;
use super::run::{Bounds, Subject, describe};
use super::shadow::{Cell, CellPlace};
use super::trace::{Trace, Visit};
use crate::problem::Reading;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Scalar, Slot, VariablePlace};
use impasse_program::link::FunctionId;

/// A part of a state for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// How its bits are read, if its type says so.
    pub reading: Option<Reading>,
    /// Its width in bits.
    pub bits: u8,
    /// What it points to, if it is a pointer.
    pub target: Option<String>,
    /// Whether it belongs to a library, and not to the program.
    pub library: bool,
    /// Whether it is a number of a floating-point type.
    pub is_float: bool,
}

impl Named {
    /// The text of one of its values, by its type. Where the type is unknown, a number with its
    /// highest bit set is negative.
    pub fn show(&self, value: u64) -> String {
        if let Some(target) = &self.target {
            return format!("&{target}");
        }
        match self.bits {
            32 if self.is_float => return format!("{:?}f", f32::from_bits(value as u32)),
            64 if self.is_float => return format!("{:?}", f64::from_bits(value)),
            _ => {}
        }
        let unused = 64 - u32::from(self.bits.clamp(1, 64));
        match self.reading {
            Some(Reading::Unsigned) => value.to_string(),
            _ => (((value << unused) as i64) >> unused).to_string(),
        }
    }
}

/// The names of parts of the state at a visit, in the order of `cells`.
pub fn names(subject: &Subject<'_>, trace: &Trace, visit: u32, cells: &[Cell]) -> Vec<Named> {
    let visit = &trace.visits[visit as usize];
    let places: Vec<_> = cells
        .iter()
        .filter_map(|cell| match cell.place {
            CellPlace::Memory(object, offset, bytes) => Some((object, offset, bytes)),
            CellPlace::Slot(_) => None,
        })
        .collect();
    let bounds = Bounds {
        steps: visit.step as usize,
        inputs: usize::MAX,
        skip: trace.skipped,
    };
    let places: Vec<_> = places
        .into_iter()
        .chain(cells.iter().filter_map(|cell| target(trace, cell)))
        .collect();
    let mut described = match places.is_empty() {
        true => Vec::new(),
        false => describe(subject, &trace.values, bounds, &places),
    }
    .into_iter();
    let mut name = |cell: &Cell| match cell.place {
        CellPlace::Slot(slot) => {
            let bits = cell.symbol.map_or(64, |(_, width)| width);
            slot_name(subject, visit, slot, bits)
        }
        CellPlace::Memory(object, _, bytes) => {
            let described = described.next().flatten();
            Named {
                is_float: described.as_ref().is_some_and(|part| part.is_float),
                name: described.map(|part| part.name).unwrap_or_default(),
                library: is_library(subject, object),
                target: None,
                reading: None,
                bits: cell.symbol.map_or(bytes * 8, |(_, width)| width),
            }
        }
    };
    let mut all: Vec<Named> = cells.iter().map(&mut name).collect();
    for (named, cell) in all.iter_mut().zip(cells) {
        if target(trace, cell).is_some() {
            named.target = described.next().flatten().map(|part| part.name);
        }
    }
    all
}

/// The name of a slot in the frame of a visit, `bits` wide.
pub fn slot_name(subject: &Subject<'_>, visit: &Visit, slot: Slot, bits: u8) -> Named {
    slot_name_in(subject, visit.place.function, slot, bits)
}

/// The name of a slot in the frames of a function, `bits` wide.
pub fn slot_name_in(subject: &Subject<'_>, function: FunctionId, slot: Slot, bits: u8) -> Named {
    let program = &subject.system.program;
    let unit = program.info(function).unit;
    let body = &program.function(function).body;
    let found = body
        .variables
        .iter()
        .find_map(|variable| match variable.place {
            VariablePlace::Value {
                slot: held,
                scalar,
                offset,
            } if held == slot => {
                let path = variable.ty.and_then(|ty| {
                    program.path_in_type(unit, ty, u64::from(offset), u64::from(scalar.bytes()))
                });
                let reading = variable.ty.and_then(|ty| reading(program.debug(unit), ty));
                let float = matches!(scalar, Scalar::Float | Scalar::Double);
                Some((
                    format!("{}{}", variable.name, path.unwrap_or_default()),
                    reading,
                    float.then(|| scalar.bits() as u8),
                ))
            }
            _ => None,
        });
    let (name, reading, float) =
        found.unwrap_or((format!("an unnamed value ({})", slot.0), None, None));
    Named {
        name,
        reading,
        bits: float.unwrap_or(bits),
        is_float: float.is_some(),
        library: !program.is_users(unit),
        target: None,
    }
}

/// The place that a word points to, if it looks like an address.
fn target(trace: &Trace, cell: &Cell) -> Option<(ObjectId, u32, u8)> {
    let bits = match (&trace.ilp32, cell.place) {
        // A number that is small is more likely to be one.
        (Some(ilp32), CellPlace::Memory(_, _, 4)) => ilp32.widen(cell.initial.bits as u32),
        _ => cell.initial.bits,
    };
    let wide = match cell.place {
        CellPlace::Memory(_, _, 4) => trace.ilp32.is_some(),
        CellPlace::Slot(_) => cell.symbol.is_none_or(|(_, width)| width == 64),
        CellPlace::Memory(_, _, bytes) => bytes == 8,
    };
    let address = Address::from_bits(bits);
    let named = matches!(
        address.object.kind(),
        ObjectKind::Global(_) | ObjectKind::Dynamic(_)
    );
    let offset = u32::try_from(address.offset).ok()?;
    (wide && named).then_some((address.object, offset, 0))
}

/// Whether an object is a library's: its global variable, or thread-local.
fn is_library(subject: &Subject<'_>, object: ObjectId) -> bool {
    let program = &subject.system.program;
    match object.kind() {
        ObjectKind::Global(n) => {
            let global = program.globals().get(n as usize);
            global.is_some_and(|global| !program.is_users(global.unit))
        }
        _ => false,
    }
}
