//! Where in the source a program's instructions, functions and globals come from.

use crate::debug::{DebugInfo, LocationId};
use crate::instruction::Position;
use crate::link::{FunctionId, Program, UnitId};
use std::fmt;

/// A place in the source, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLocation {
    /// The file's path as the compiler was given it; empty if unknown.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The source function it lies in.
    pub function: String,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", _) => write!(f, "an unknown place"),
            (file, 0) => write!(f, "{file}"),
            (file, line) => write!(f, "{file}:{line}"),
        }
    }
}

impl Program {
    /// Returns where an instruction comes from: the innermost inlined place first, then the places
    /// at which it was inlined. Empty if unknown.
    pub fn location(&self, function: FunctionId, position: Position) -> Vec<SourceLocation> {
        let locations = &self.function(function).body.locations;
        let debug = self.debug(self.info(function).unit);
        let mut next = locations.get(position.0 as usize).copied();
        let mut places = Vec::new();
        while let Some(id) = next
            && places.len() < debug.locations.len()
        {
            let Some(place) = source_location(debug, id) else {
                break;
            };
            places.push(place);
            next = debug.locations[id.0 as usize].inlined_at;
        }
        places
    }

    /// Returns the place of a declaration in a unit, or `None` if it is unknown.
    pub fn declared_at(&self, unit: UnitId, location: LocationId) -> Option<SourceLocation> {
        source_location(self.debug(unit), location)
    }

    /// Returns the source information of a unit.
    pub fn debug(&self, unit: UnitId) -> &DebugInfo {
        self.units[unit.0 as usize].module.debug()
    }

    /// Returns the name of a unit.
    pub fn unit_name(&self, unit: UnitId) -> &str {
        &self.units[unit.0 as usize].module.unit.name
    }
}

fn source_location(debug: &DebugInfo, id: LocationId) -> Option<SourceLocation> {
    if id == LocationId::default() {
        return None;
    }
    let location = debug.locations.get(id.0 as usize)?;
    let text = |list: &[String], index: u32| list.get(index as usize).cloned().unwrap_or_default();
    Some(SourceLocation {
        file: text(&debug.files, location.file.0),
        line: location.line,
        column: location.column,
        function: text(&debug.scopes, location.scope),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{FileId, Location};
    use crate::instruction::{Body, Instruction};
    use crate::library::Library;
    use crate::link::tests::UnitBuilder;

    fn debug() -> DebugInfo {
        let place = |line, scope, inlined_at| Location {
            file: FileId(0),
            line,
            column: 2,
            scope,
            inlined_at,
        };
        DebugInfo {
            files: vec!["a.c".into()],
            scopes: vec!["outer".into(), "inner".into()],
            locations: vec![
                Location::default(),
                place(10, 0, None),
                place(3, 1, Some(LocationId(1))),
            ],
            types: vec![],
        }
    }

    #[test]
    fn inlined_places_lead_outward() {
        let mut unit = UnitBuilder::new("a");
        let body = Body {
            code: vec![Instruction::Unreachable; 2],
            locations: vec![LocationId(2), LocationId(0)],
            ..Body::default()
        };
        unit.strong_with("main", &[], body);
        unit.unit.debug = debug();
        let program =
            Program::link(vec![unit.unit], &Library::empty(), &|_| None, &["main"]).unwrap();
        let main = program.find_function("main").unwrap();
        let places = program.location(main, Position(0));
        let shown: Vec<_> = places
            .iter()
            .map(|p| (p.function.as_str(), p.line))
            .collect();
        assert_eq!(shown, [("inner", 3), ("outer", 10)]);
        assert_eq!(places[0].to_string(), "a.c:3");
        assert!(program.location(main, Position(1)).is_empty());
        assert_eq!(program.declared_at(UnitId(0), LocationId(0)), None);
    }
}
