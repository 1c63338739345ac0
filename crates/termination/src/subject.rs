//! What of a program is executed, and what of it is input.

use crate::concolic::iteration::{LOWER_HALF, UPPER_HALF};
use crate::concolic::loop_headers::LoopHeaders;
use crate::concolic::reading::reading;
use crate::concolic::run::{Parameter, Placed, Pointee, Subject};
use crate::concolic::trace::{Input, Source};
use crate::problem::Reading;
use anyhow::{Result, anyhow, bail};
use impasse_compile::DataModel;
use impasse_machine::system::System;
use impasse_program::address::ObjectId;
use impasse_program::debug::{DebugInfo, Type, TypeId};
use impasse_program::instruction::{Scalar, VariablePlace};
use impasse_program::link::FunctionId;
use std::path::PathBuf;

/// How many elements a pointer parameter of the function under test points to.
const ELEMENTS: u32 = 8;
/// No more parts of a variable than this are inputs.
const MOST_PARTS: usize = 256;

/// What the user asks to be executed.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Wanted {
    /// The function under test, if it is not `main`.
    pub main: Option<String>,
    /// How many bytes standard input has.
    #[serde(default)]
    pub stdin_bytes: usize,
    /// Whether globals that the program does not initialise are inputs.
    pub havoc_globals: bool,
    /// Whether locals that the program does not initialise are inputs.
    #[serde(default)]
    pub havoc_locals: bool,
    /// What functions do that are defined nowhere.
    #[serde(default)]
    pub unknown_functions: UnknownFunctions,
    /// The sizes of C's types.
    #[serde(default)]
    pub data_model: DataModel,
    /// What the pointers hold in the elements that a pointer parameter points to.
    #[serde(default)]
    pub links: Links,
}

/// What functions do that are declared, called, and defined nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownFunctions {
    /// A call of one is not followed.
    #[default]
    Stop,
    /// They return anything, and may write to all of memory.
    Havoc,
}

/// What pointers hold in the elements that a pointer parameter points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Links {
    /// They are null.
    #[default]
    None,
    /// Those to elements of the same type point to the next one, and from the last one to the
    /// first.
    Circular,
}

/// Flags of clang that do not change what arithmetic is compiled to.
const HARMLESS: [&str; 7] = ["-D", "-I", "-U", "-std=", "-Wall", "-Wextra", "-Wno-"];

/// Whether operations distinguish signed numbers from unsigned ones, since the compiler promises of
/// the signed ones that they do not overflow: so it does for C, unless flags say otherwise.
pub fn tells_signs(files: &[PathBuf], flags: &[String]) -> bool {
    let is_c = |file: &PathBuf| file.extension().is_some_and(|end| end == "c" || end == "i");
    let is_harmless = |flag: &String| HARMLESS.iter().any(|start| flag.starts_with(start));
    files.iter().all(is_c) && flags.iter().all(is_harmless)
}

/// The subject, and what of it is less than all that may happen.
pub fn subject<'s>(system: &'s System, wanted: &Wanted) -> Result<(Subject<'s>, Vec<String>)> {
    let entry = system
        .main
        .ok_or_else(|| anyhow!("the program has no function main"))?;
    let mut gaps = Vec::new();
    let test = match wanted.main.as_deref() {
        None | Some("main") => {
            let body = &system.program.function(entry).body;
            let live = &body.live_sets[body.live[0] as usize];
            if !live.is_empty() {
                gaps.push("main is called without arguments".into());
            }
            None
        }
        Some(name) => {
            let function = find(system, name)?;
            Some((function, parameters(system, function, wanted, &mut gaps)?))
        }
    };
    let globals = wanted.havoc_globals.then(|| globals(system, &mut gaps));
    let subject = Subject {
        system,
        entry,
        test,
        globals,
        havoc_locals: wanted.havoc_locals,
        havoc_functions: wanted.unknown_functions == UnknownFunctions::Havoc,
        headers: LoopHeaders::default(),
        integers: false,
        tells_signs: false,
        deadline: Default::default(),
    };
    Ok((subject, gaps))
}

fn find(system: &System, name: &str) -> Result<FunctionId> {
    let program = &system.program;
    let users = (0..program.functions())
        .map(FunctionId)
        .filter(|&id| program.is_users(program.info(id).unit));
    let mut names = Vec::new();
    for id in users {
        let info = program.info(id);
        if info.name == name || info.display_name == name {
            return Ok(id);
        }
        names.push(info.display_name.clone());
    }
    bail!(
        "--main {name}: the program defines no such function; it defines {}",
        names.join(", ")
    )
}

fn parameters(
    system: &System,
    function: FunctionId,
    wanted: &Wanted,
    gaps: &mut Vec<String>,
) -> Result<Vec<Parameter>> {
    let program = &system.program;
    let info = program.info(function);
    let debug = program.debug(info.unit);
    let variables = &program.function(function).body.variables;
    let mut parameters = Vec::new();
    for (slot, &scalar) in (0u32..).zip(&info.signature.parameters) {
        let held = variables.iter().find(|variable| {
            matches!(variable.place, VariablePlace::Value { slot: held, .. } if held.0 == slot)
        });
        let name = held.map_or(format!("argument {}", slot + 1), |held| held.name.clone());
        let ty = held.and_then(|held| held.ty);
        parameters.push(match scalar {
            Scalar::Integer(bits) => Parameter::Value(Input {
                source: Source::Parameter(name),
                bits,
                signed: ty.and_then(|ty| reading(debug, ty)) != Some(Reading::Unsigned),
                place: None,
            }),
            Scalar::Pointer | Scalar::Pointer32 => pointer(debug, &name, ty, wanted, gaps),
            _ => bail!(
                "--main {}: its parameter {name} is neither an integer nor a pointer",
                info.display_name
            ),
        });
    }
    Ok(parameters)
}

/// A pointer parameter points to an object of its own.
fn pointer(
    debug: &DebugInfo,
    name: &str,
    ty: Option<TypeId>,
    wanted: &Wanted,
    gaps: &mut Vec<String>,
) -> Parameter {
    let target = ty.and_then(|ty| pointee(debug, ty));
    let Some((target, size)) = target.and_then(|ty| Some((ty, size_of(debug, ty)?))) else {
        gaps.push(format!(
            "{name} points to something of unknown type: it is given no content"
        ));
        return Parameter::Object(Pointee {
            bytes: 8,
            ..Pointee::default()
        });
    };
    gaps.push(format!(
        "{name} points to one object of {ELEMENTS} elements, and to nothing else that it might"
    ));
    let mut parts = Vec::new();
    for index in 0..ELEMENTS {
        let path = format!("{name}[{index}]");
        leaves(debug, target, index * size, path, &mut parts);
    }
    parts.truncate(MOST_PARTS);
    let inputs = parts.into_iter().map(|part| {
        let input = Input {
            source: Source::Pointee(part.path),
            bits: part.bits,
            signed: part.signed,
            place: None,
        };
        (part.offset, input)
    });
    // An address takes eight bytes only there.
    let links = match (wanted.links, wanted.data_model) {
        (Links::Circular, DataModel::Lp64) => circular(debug, target, size),
        _ => Vec::new(),
    };
    Parameter::Object(Pointee {
        bytes: ELEMENTS * size,
        inputs: inputs.collect(),
        links,
    })
}

/// Where the elements of an object have pointers to their own type, and the elements that come
/// next.
fn circular(debug: &DebugInfo, target: TypeId, size: u32) -> Vec<(u32, u32)> {
    let Some(Type::Record { members, .. }) = unnamed(debug, target) else {
        return Vec::new();
    };
    let links = members
        .iter()
        .filter(|member| {
            pointee(debug, member.ty).is_some_and(|to| unnamed(debug, to) == unnamed(debug, target))
        })
        .map(|member| (member.bit_offset / 8) as u32);
    let links: Vec<u32> = links.collect();
    let next = |at: u32| (at + 1) % ELEMENTS;
    (0..ELEMENTS)
        .flat_map(|at| {
            links
                .iter()
                .map(move |link| (at * size + link, next(at) * size))
        })
        .collect()
}

/// A type behind its names.
fn unnamed(debug: &DebugInfo, ty: TypeId) -> Option<&Type> {
    match debug.types.get(ty.0 as usize)? {
        Type::Named { of, .. } => unnamed(debug, (*of)?),
        other => Some(other),
    }
}

/// The integers in the global variables that the program does not initialise.
fn globals(system: &System, gaps: &mut Vec<String>) -> Vec<Placed> {
    let program = &system.program;
    let mut placed = Vec::new();
    for (number, global) in (0u32..).zip(program.globals()) {
        let zero = global.bytes.iter().all(|&byte| byte == 0) && global.pointers.is_empty();
        if global.constant || !zero || !program.is_users(global.unit) {
            continue;
        }
        let name = &global.display_name;
        let Some(ty) = global.ty.filter(|_| !global.thread_local) else {
            gaps.push(format!("{name} has no value but zero from the start"));
            continue;
        };
        let mut parts = Vec::new();
        if !leaves(program.debug(global.unit), ty, 0, name.clone(), &mut parts) {
            gaps.push(format!(
                "of {name} only the integers are inputs, but no bit-fields and no other numbers"
            ));
        }
        if parts.len() > MOST_PARTS {
            gaps.push(format!("of {name} only the first parts are inputs"));
            parts.truncate(MOST_PARTS);
        }
        placed.extend(parts.into_iter().map(|part| Placed {
            object: ObjectId::global(number),
            offset: part.offset,
            input: Input {
                source: Source::Global(part.path),
                bits: part.bits,
                signed: part.signed,
                place: None,
            },
        }));
    }
    placed
}

/// A number inside of a typed object.
struct Part {
    path: String,
    offset: u32,
    bits: u8,
    signed: bool,
}

/// The integers that a typed object is made of. Returns whether it has no other numbers.
fn leaves(debug: &DebugInfo, ty: TypeId, offset: u32, path: String, parts: &mut Vec<Part>) -> bool {
    if parts.len() > MOST_PARTS {
        return true;
    }
    match debug.types.get(ty.0 as usize) {
        Some(Type::Base { bytes, .. } | Type::Enumeration { bytes, .. }) => {
            let Some(reading) = reading(debug, ty).filter(|_| matches!(bytes, 1..=8 | 16)) else {
                return false;
            };
            let signed = reading == Reading::Signed;
            parts.extend(integer(path, offset, *bytes as u8, signed));
            true
        }
        Some(Type::Named { of: Some(of), .. }) => leaves(debug, *of, offset, path, parts),
        Some(Type::Array { element, count }) => {
            let Some(size) = size_of(debug, *element) else {
                return false;
            };
            let elements = 0..(*count as u32).min(MOST_PARTS as u32 + 1);
            elements.fold(true, |whole, index| {
                let path = format!("{path}[{index}]");
                leaves(debug, *element, offset + index * size, path, parts) && whole
            })
        }
        Some(Type::Record { members, .. }) => members.iter().fold(true, |whole, member| {
            let path = format!("{path}.{}", member.name);
            let offset = offset + (member.bit_offset / 8) as u32;
            member.bit_field.is_none() && leaves(debug, member.ty, offset, path, parts) && whole
        }),
        Some(Type::Pointer { .. }) => true,
        _ => false,
    }
}

/// An integer, or both its halves if it has 128 bits.
fn integer(path: String, offset: u32, bytes: u8, signed: bool) -> impl Iterator<Item = Part> {
    let part = |path, offset, bytes: u8, signed| Part {
        path,
        offset,
        bits: 8 * bytes,
        signed,
    };
    let parts = match bytes {
        16 => vec![
            part(format!("{path}, {LOWER_HALF}"), offset, 8, false),
            part(format!("{path}, {UPPER_HALF}"), offset + 8, 8, signed),
        ],
        _ => vec![part(path, offset, bytes, signed)],
    };
    parts.into_iter()
}

/// What a type of pointers points to.
fn pointee(debug: &DebugInfo, ty: TypeId) -> Option<TypeId> {
    match debug.types.get(ty.0 as usize)? {
        Type::Pointer { to, .. } => *to,
        Type::Named { of, .. } => pointee(debug, (*of)?),
        _ => None,
    }
}

fn size_of(debug: &DebugInfo, ty: TypeId) -> Option<u32> {
    match debug.types.get(ty.0 as usize)? {
        Type::Base { bytes, .. } | Type::Record { bytes, .. } | Type::Enumeration { bytes, .. } => {
            Some(*bytes as u32)
        }
        Type::Other { bytes, .. } => Some(*bytes as u32).filter(|&bytes| bytes > 0),
        Type::Pointer { bytes, .. } => Some(*bytes as u32),
        Type::Named { of, .. } => size_of(debug, (*of)?),
        Type::Array { element, count } => Some(size_of(debug, *element)? * *count as u32),
    }
}
