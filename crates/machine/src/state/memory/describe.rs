//! Objects and bad accesses in words.

use super::{Access, Limit, Memory, ObjectRef};
use crate::base::fault::{CodePlace, ErrorKind, Result, error, unsupported};
use crate::state::memory::object::{Class, Flags, UNKNOWN_SIZE};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::allocated::UsedAs;
use impasse_program::debug::TypeId;
use impasse_program::ilp32::Ilp32Addresses;
use impasse_program::instruction::Instruction;
use impasse_program::link::{FunctionId, Program, Target, UnitId};
use impasse_program::word::Word;

/// Objects start at multiples of this at least, so that programs use the bits below it as tags.
const TAGGED: i64 = 8;

/// Returns a place of the program as `file:line`, the innermost one that has a line.
pub fn place_in_words(program: &Program, place: CodePlace) -> String {
    let chain = program.location(place.function, place.position);
    match chain.iter().find(|l| l.line != 0) {
        Some(location) => format!("{}:{}", location.file, location.line),
        None => program.info(place.function).display_name.clone(),
    }
}

/// What the compiler calls a variable of its own making, in words.
fn spoken(name: &str) -> String {
    let ours = |start, end| name.strip_prefix(start)?.strip_suffix(end);
    if let Some(variable) = ours("guard variable for ", "") {
        return format!("the initialisation of {variable}");
    }
    let table = ours("{vtable(", ")}").or_else(|| ours("vtable for ", ""));
    match table {
        Some(class) => format!("the virtual functions of {class}"),
        None => name.to_owned(),
    }
}

/// A constant without a name: usually a string of the source.
fn literal(bytes: &[u8]) -> String {
    let text = bytes
        .strip_suffix(&[0])
        .and_then(|text| std::str::from_utf8(text).ok());
    match text {
        Some(text) if text.len() <= 40 => format!("the string {text:?}"),
        _ => "a constant without a name".into(),
    }
}

fn variable_name(program: &Program, place: CodePlace) -> Option<String> {
    let body = &program.function(place.function).body;
    match body.code.get(place.position.0 as usize)? {
        Instruction::Allocate {
            variable: Some(v), ..
        } => Some(body.variables.get(v.0 as usize)?.name.clone()),
        _ => None,
    }
}

impl Memory<'_> {
    /// Returns a description of an object.
    pub fn describe(&self, object: ObjectId) -> String {
        match object.kind() {
            ObjectKind::Null => "null".into(),
            ObjectKind::Global(n) => match self.program.globals().get(n as usize) {
                Some(global) if global.display_name == "(anonymous)" => literal(&global.bytes),
                Some(global) => spoken(&global.display_name),
                None => "no object".into(),
            },
            ObjectKind::Function(n) => match self.program.function_object(n) {
                Some(Target::Function(id)) => {
                    format!("function {}", self.program.info(id).display_name)
                }
                _ => "a function".into(),
            },
            ObjectKind::Table(n) => format!(
                "the exception table of {}",
                self.program.info(FunctionId(n)).display_name
            ),
            ObjectKind::Dynamic(_) => match self.get(object) {
                Some(view) => match self.allocation_name(object) {
                    Some(name) => format!("{name} ({})", self.place_of_allocation(object)),
                    None => self.describe_dynamic(view),
                },
                None => "an object that is gone".into(),
            },
        }
    }

    /// Returns where an object was allocated, as in `queue.h:41`, or an empty text if that is not
    /// known.
    pub fn place_of_allocation(&self, object: ObjectId) -> String {
        let place = self.get(object).and_then(|it| it.origin());
        let place = place.map(|it| place_in_words(self.program, it));
        let file = place.as_deref().and_then(|place| place.rsplit('/').next());
        file.unwrap_or_default().to_owned()
    }

    fn describe_dynamic(&self, view: ObjectRef<'_>) -> String {
        let size = view.size();
        let is_any = !view.limit().is_none() || size == UNKNOWN_SIZE;
        match (view.class(), view.origin()) {
            (class, Some(place)) if class.is_on_heap() && is_any => format!(
                "the memory allocated at {}",
                place_in_words(self.program, place)
            ),
            (class, Some(place)) if class.is_on_heap() => format!(
                "the {size} bytes allocated at {}",
                place_in_words(self.program, place)
            ),
            (Class::Mapping, Some(place)) => format!(
                "the {size} bytes mapped at {}",
                place_in_words(self.program, place)
            ),
            (Class::Stack, Some(place)) => match variable_name(self.program, place) {
                Some(name) => name,
                None => format!(
                    "a local object of {}",
                    self.program.info(place.function).display_name
                ),
            },
            (Class::ThreadLocal, _) => "a thread-local variable".into(),
            _ => format!("an object of {size} bytes"),
        }
    }

    /// What an access at a number is that was not made from an address. In 4 GiB, in which objects
    /// lie side by side, it may be in other memory of the program.
    fn kind_of_number(&self, bits: u64) -> ErrorKind {
        let is_far = u32::try_from(bits).is_ok_and(Ilp32Addresses::is_never_an_object);
        match self.ilp32() {
            Some(_) if !is_far => ErrorKind::OutOfBounds,
            _ => ErrorKind::InvalidPointer,
        }
    }

    /// Returns the name of the part of an object that an access touches, as one would write it in
    /// the source; of an allocated object, by the name that it keeps.
    pub fn describe_subobject(&self, address: Address, bytes: u64) -> String {
        let name = self.allocation_name(address.object).map(str::to_owned);
        let name = name.unwrap_or_else(|| self.describe(address.object));
        if let Some(path) = self.path_in(address, bytes) {
            return name + &path;
        }
        match address.offset {
            0 => name,
            _ if name.starts_with("the virtual functions of ") => name,
            offset => format!("{name}, byte {offset}"),
        }
    }

    /// Returns what a pointer points to, as [`Memory::describe_subobject`] does. If its lowest bits
    /// lead to no part of the object, but the address without them does, they are a tag.
    pub fn describe_pointer(&self, address: Address) -> String {
        let tag = address.offset & (TAGGED - 1);
        let untagged = Address {
            offset: address.offset - tag,
            ..address
        };
        match tag != 0 && self.path_in(address, 0).is_none() && self.path_in(untagged, 0).is_some()
        {
            true => format!("{} | {tag}", self.describe_subobject(untagged, 0)),
            false => self.describe_subobject(address, 0),
        }
    }

    /// What is written after the name of an object for a part of it, if its type is known.
    fn path_in(&self, address: Address, bytes: u64) -> Option<String> {
        if let ObjectKind::Global(n) = address.object.kind()
            && let Some(global) = self.program.globals().get(n as usize)
            && let (Some(ty), Ok(offset)) = (global.ty, u64::try_from(address.offset))
            && let Some(path) = self.program.path_in_type(global.unit, ty, offset, bytes)
        {
            return Some(path);
        }
        let allocated = self.path_in_allocated(address, bytes);
        allocated.or_else(|| self.path_in_local(address, bytes))
    }

    /// The part of an allocated object, which may be several of its type, one after the other.
    fn path_in_allocated(&self, address: Address, bytes: u64) -> Option<String> {
        let UsedAs { unit, ty, start } = self.allocated_as(address.object)?;
        let size = self.program.size_of_type(unit, ty)?;
        let total = u64::from(self.get(address.object)?.size()).checked_sub(start)?;
        let offset = u64::try_from(address.offset).ok()?.checked_sub(start)?;
        let is_array = total > size && total.is_multiple_of(size);
        let (index, inside) = match is_array {
            true => (offset / size, offset % size),
            false => (0, offset),
        };
        let path = match (bytes, inside) {
            _ if offset > total => None,
            (0, 0) => Some(String::new()),
            _ if offset == total => None,
            _ => self.program.path_in_type(unit, ty, inside, bytes),
        }?;
        Some(match (is_array, offset, bytes) {
            (false, ..) | (true, 0, 0) => path,
            (true, ..) => format!("[{index}]{path}"),
        })
    }

    /// Returns whether these bytes are a variable, or a subobject, of a floating-point type.
    pub fn is_float(&self, address: Address, bytes: u64) -> bool {
        let typed = match address.object.kind() {
            ObjectKind::Global(n) => {
                let global = self.program.globals().get(n as usize);
                global.and_then(|global| Some((global.unit, global.ty?)))
            }
            _ => self.type_of_local(address.object),
        };
        let offset = u64::try_from(address.offset).ok();
        typed.zip(offset).is_some_and(|((unit, ty), offset)| {
            self.program.is_float_in_type(unit, ty, offset, bytes)
        })
    }

    fn path_in_local(&self, address: Address, bytes: u64) -> Option<String> {
        let (unit, ty) = self.type_of_local(address.object)?;
        let offset = u64::try_from(address.offset).ok()?;
        self.program.path_in_type(unit, ty, offset, bytes)
    }

    /// The type of a local variable that is an object, and the unit that knows it.
    pub(crate) fn type_of_local(&self, object: ObjectId) -> Option<(UnitId, TypeId)> {
        let place = self.get(object)?.origin()?;
        let function = self.program.function(place.function);
        let Instruction::Allocate {
            variable: Some(v), ..
        } = function.body.code.get(place.position.0 as usize)?
        else {
            return None;
        };
        let ty = function.body.variables.get(v.0 as usize)?.ty?;
        Some((self.program.info(place.function).unit, ty))
    }

    /// The size of an object, as far as the running instruction knows it.
    fn known_size(&self, object: ObjectId, view: ObjectRef<'_>) -> u64 {
        let known = self.limits.iter().find(|(of, _)| *of == object);
        match known {
            Some((_, Limit::Exceeded(size))) => *size,
            _ => view.size().into(),
        }
    }

    #[cold]
    pub(super) fn explain_bad_access<T>(
        &self,
        word: Word,
        address: Address,
        bytes: u64,
        access: Access,
    ) -> Result<T> {
        let verb = match access {
            Access::Read => "reads",
            Access::Write => "writes",
        };
        let what = format!("{verb} {}", count(bytes));
        if address.object == ObjectId::NULL {
            return if address.offset == 0 {
                error(
                    ErrorKind::NullDereference,
                    format!("{what} through a null pointer"),
                )
            } else if (0..4096).contains(&address.offset) {
                let offset = address.offset;
                error(
                    ErrorKind::NullDereference,
                    format!("{what} at offset {offset} of a null pointer"),
                )
            } else {
                let bits = word.bits;
                error(
                    self.kind_of_number(bits),
                    format!("{what} at {bits:#x}, which is no address of an object"),
                )
            };
        }
        if let ObjectKind::Function(n) = address.object.kind()
            && let Some(Target::Missing(missing)) = self.program.function_object(n)
        {
            let name = &self.program.missing()[missing as usize];
            return unsupported(format!("the variable {name}, which is defined nowhere"));
        }
        let Some(object) = self.get(address.object) else {
            let name = match address.object.kind() {
                ObjectKind::Function(_) => self.describe(address.object),
                _ => format!("{:#x}, which is no address of an object", word.bits),
            };
            return error(ErrorKind::InvalidPointer, format!("{what} at {name}"));
        };
        let name = self.describe(address.object);
        let flags = object.flags();
        if flags.has(Flags::FREED | Flags::ENDED) {
            let (kind, why) = match (object.class(), flags.has(Flags::FREED)) {
                (Class::Stack, true) => {
                    (ErrorKind::UseAfterReturn, "after its function has returned")
                }
                (Class::Stack, false) => (ErrorKind::UseAfterReturn, "after its scope has ended"),
                _ => (ErrorKind::UseAfterFree, "after it was freed"),
            };
            let by = self.freed_by(address.object);
            return error(kind, format!("{what} of {name} {why}{by}"));
        }
        if address.object.is_dynamic() && !word.pointer && !flags.has(Flags::EXPOSED) {
            let bits = word.bits;
            return error(
                self.kind_of_number(bits),
                format!("{what} at {bits:#x}, a number that was not made from an address"),
            );
        }
        let size = self.known_size(address.object, object);
        if address.offset < 0 || address.offset as u64 + bytes > size {
            return error(
                ErrorKind::OutOfBounds,
                format!(
                    "{what} at offset {} of {name}, which has {}",
                    address.offset,
                    count(size)
                ),
            );
        }
        error(
            ErrorKind::ConstantWrite,
            format!("{what} of {name}, which is constant"),
        )
    }
}

fn count(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".into(),
        n => format!("{n} bytes"),
    }
}
