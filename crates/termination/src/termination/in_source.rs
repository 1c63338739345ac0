//! What a loop is in the source: where it stands, and what the variables of its header are called
//! there.
//!
//! A name must mean the same at the loop's statement as in the proof. So a local variable has one
//! only if no other variable of the function is called so, and it is declared before the loop, or
//! in it (whoever writes the name looks whether that is between the parentheses of a `for`); a
//! global variable only if it is declared before, in the same file, and no local variable hides
//! it. A variable that is a part of another one, or whose type is not one of C's integers as wide
//! as the term, has none.

use super::Executor;
use super::cycle::Subject;
use super::header::Header;
use super::record::{InSource, Kind};
use super::state::{Base, Object, Val};
use crate::concolic::reading::reading;
use crate::in_c::Name;
use impasse_program::debug::TypeId;
use impasse_program::instruction::{Scalar, Slot, Variable, VariablePlace};
use impasse_program::link::{FunctionId, UnitId};
use impasse_program::source::SourceLocation;
use impasse_solver::{Node, Symbol};

impl Executor<'_, '_> {
    /// Where a loop is in the source. None for what is no loop of the program, or not known to be
    /// one.
    pub(super) fn start_in_source(&self, subject: &Subject) -> Option<InSource<Symbol>> {
        let (program, place) = (&self.subject.system.program, subject.place);
        if subject.kind != Kind::Loop || !self.subject.system.own[place.function.0 as usize] {
            return None;
        }
        let starts = &program.function(place.function).body.loop_starts;
        let mut starts = starts.iter().filter(|(at, _)| *at == place.position);
        let (Some((_, start)), None) = (starts.next(), starts.next()) else {
            return None;
        };
        Some(InSource {
            start: program.declared_at(program.info(place.function).unit, *start)?,
            is_outermost: self.context.len() == 1,
            names: Vec::new(),
        })
    }

    /// The same, with the names of what the header holds.
    pub(super) fn in_source(&self, subject: &Subject, header: &Header) -> Option<InSource<Symbol>> {
        let mut found = self.start_in_source(subject)?;
        let function = subject.place.function;
        for (slot, value) in (0..).zip(&header.state.slots) {
            let symbol = value.and_then(|value| self.plain_symbol(value));
            if let Some((symbol, width)) = symbol
                && let Some((name, line)) = self.local(function, Slot(slot), width)
            {
                found.names.push((symbol, name, line));
            }
        }
        for (&(object, offset), cell) in &header.state.memory.cells {
            let symbol = self.plain_symbol(cell.value);
            if let (Some((symbol, width)), Object::Global(n), 0) = (symbol, object, offset)
                && width == cell.bytes * 8
                && let Some((name, line)) = self.global((function, n), width, &found.start)
            {
                found.names.push((symbol, name, line));
            }
        }
        Some(found)
    }

    /// The variable that a number is.
    fn plain_symbol(&self, value: Val) -> Option<(Symbol, u8)> {
        let is_plain =
            value.base == Base::Unknown && value.poison.is_none() && value.wrapped.is_none();
        match self.terms.node(value.term) {
            Node::Symbol(symbol) if is_plain => Some((symbol, self.terms.width(value.term))),
            _ => None,
        }
    }

    fn local(&self, function: FunctionId, slot: Slot, width: u8) -> Option<(Name, u32)> {
        let program = &self.subject.system.program;
        let variables = &program.function(function).body.variables;
        let is_here = |variable: &&Variable| {
            let VariablePlace::Value {
                slot: held, scalar, ..
            } = variable.place
            else {
                return false;
            };
            held == slot && scalar == Scalar::Integer(width)
        };
        let variable = variables.iter().find(is_here)?;
        let same = variables.iter().filter(|other| other.name == variable.name);
        let unit = program.info(function).unit;
        let name = self.integer(unit, &variable.name, variable.ty?, width)?;
        (same.count() == 1).then_some((name, variable.line))
    }

    fn global(
        &self,
        (function, number): (FunctionId, u32),
        width: u8,
        start: &SourceLocation,
    ) -> Option<(Name, u32)> {
        let program = &self.subject.system.program;
        let global = program.globals().get(number as usize)?;
        let unit = program.info(function).unit;
        let mut variables = program.function(function).body.variables.iter();
        let is_visible = global.unit == unit
            && global.name == global.display_name
            && !global.thread_local
            && variables.all(|variable| variable.name != global.display_name);
        let name = self.integer(unit, &global.display_name, global.ty?, width)?;
        let declared = program.declared_at(unit, global.location)?;
        let is_before = declared.file == start.file && declared.line < start.line;
        (is_visible && is_before).then_some((name, declared.line))
    }

    /// A name for a variable of one of C's integer types, of this width.
    fn integer(&self, unit: UnitId, name: &str, ty: TypeId, width: u8) -> Option<Name> {
        let program = &self.subject.system.program;
        let is_whole =
            program.size_of_type(unit, ty) == Some(u64::from(width) / 8) && width.is_multiple_of(8);
        let is_name = name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let reading = reading(program.debug(unit), ty)?;
        (is_whole && is_name && !name.is_empty()).then(|| Name {
            text: name.to_owned(),
            reading,
        })
    }
}
