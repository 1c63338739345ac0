//! Names for objects in memory, in the program's own terms.
//!
//! A variable has its name, a subobject the access path to it (`queue.items[2]`;
//! `Program::own_subobject`). An allocated object has no name in the source, but the program has an
//! access path to it: a variable that points there, a pointer in what that one points to, and so
//! on. The types of the variables say where the pointers are, and the shortest access path is the
//! name: `list->head->lock`, `forks[1]`. It starts at a global variable, or at a variable of the
//! main thread in one of its own functions that is live (others may hold anything), or else at one
//! of another thread, which the name then mentions. If there is no short access path, the name is
//! the one that the object keeps on the path (`Node#3`, in the journal), or without a journal says
//! where it was allocated.
//!
//! A name is what the program would write at that moment: the same object may have another name
//! later, and another object that name. To identify objects, compare the names that they keep
//! ([`Machine::identity_of`]).
//!
//! Names are for reports only and computed each time. They add nothing to the read set, since
//! nothing that a step does may depend on them.

mod access_paths;
pub mod contents;

use crate::base::fault::CodePlace;
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::state::memory::object::{Class, Flags};
use crate::state::thread::{Held, HeldKind};
use access_paths::{AccessPaths, Owner, View, Written};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::subobject::Subobject;

/// An access path through more pointers is no name any more.
const LONGEST: u32 = 4;

/// The most objects visited for one name.
const MOST_OBJECTS: usize = 4096;

/// The most words visited in one object.
const MOST_WORDS: usize = 1024;

/// Which part of an object is meant by an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubobjectSelector {
    /// What an access of so many bytes reads or writes.
    Access(u64),
    /// The lock, or the like, that starts there.
    Innermost,
    /// All that starts there.
    Outermost,
}

impl SubobjectSelector {
    fn bytes(self) -> u64 {
        match self {
            SubobjectSelector::Access(bytes) => bytes,
            SubobjectSelector::Innermost => 0,
            SubobjectSelector::Outermost => u64::MAX,
        }
    }
}

/// The name of a part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// What it is called.
    pub text: String,
    /// Whether it is inside of something of a library, and the name only says what.
    pub inner: bool,
    /// Whether it has no name, and the text only says where it was allocated.
    pub is_of_bytes: bool,
}

impl Name {
    fn new(text: String, inner: bool) -> Name {
        Name {
            text,
            inner,
            is_of_bytes: false,
        }
    }
}

impl Machine<'_> {
    /// Returns the name of a part of memory.
    pub fn name_subobject(&self, address: Address, selector: SubobjectSelector) -> Name {
        let found = match address.object.kind() {
            ObjectKind::Global(n) => self.name_in_global(n, address, selector),
            ObjectKind::Dynamic(_) => self.name_in_dynamic(address, selector),
            _ => None,
        };
        found.unwrap_or_else(|| self.name_of_bytes(address, selector.bytes()))
    }

    /// Returns the name of a part of memory, and if it is a part of an allocated object that is
    /// called otherwise, which one, as in `head->next (Node#2)`.
    pub fn name_with_object(&self, address: Address, selector: SubobjectSelector) -> String {
        let name = self.name_subobject(address, selector).text;
        let identity = self.identity_of(address, selector.bytes());
        name_of_both(&name, &identity)
    }

    /// Returns a name of a part of memory that stays the same as long as the object exists. Other
    /// objects may have it, too.
    pub fn identity_of(&self, address: Address, bytes: u64) -> String {
        self.memory.describe_subobject(address, bytes)
    }

    /// Returns the name of what is accessed in a trace, and if it is a detail of a library, the
    /// name of what it belongs to, which may be empty.
    pub fn variable(&self, address: Address, bytes: u64) -> (String, Option<String>) {
        let name = self.name_subobject(address, SubobjectSelector::Access(bytes));
        match name.inner {
            true if name.is_of_bytes => (name.text, Some(String::new())),
            true => (self.identity_of(address, bytes), Some(name.text)),
            false => (name.text, None),
        }
    }

    fn name_of_bytes(&self, address: Address, bytes: u64) -> Name {
        let text = match (self.memory.allocation_name(address.object), address.offset) {
            (Some(_), _) => self.memory.describe_subobject(address, bytes),
            (None, 0) => self.memory.describe(address.object),
            (None, offset) => format!("{}, byte {offset}", self.memory.describe(address.object)),
        };
        let is_heap = self.is_allocated(address.object);
        Name {
            text,
            inner: is_heap && !self.system.own[self.at.id.0 as usize],
            is_of_bytes: true,
        }
    }

    fn is_allocated(&self, object: ObjectId) -> bool {
        self.peek_class(object).is_some_and(Class::is_allocated)
    }

    fn peek_class(&self, object: ObjectId) -> Option<Class> {
        Some(self.memory.peek(object)?.class())
    }

    fn name_in_global(
        &self,
        number: u32,
        address: Address,
        selector: SubobjectSelector,
    ) -> Option<Name> {
        let global = self.program.globals().get(number as usize)?;
        let is_users = self.program.is_users(global.unit);
        if let Some(stream) = stream(&global.name) {
            return Some(Name::new(stream.into(), true));
        }
        let ty = global.ty.filter(|_| is_users)?;
        let offset = u64::try_from(address.offset).ok()?;
        let subobject = self
            .program
            .own_subobject(global.unit, ty, offset, selector.bytes())?;
        let text = self.memory.describe(address.object) + &subobject.path;
        Some(Name::new(text, subobject.inner || subobject.elements))
    }

    fn name_in_dynamic(&self, address: Address, selector: SubobjectSelector) -> Option<Name> {
        let offset = u64::try_from(address.offset).ok()?;
        match self.peek_class(address.object)? {
            class if class.is_allocated() => self.name_in_heap(address.object, offset, selector),
            Class::ThreadLocal => self.name_in_thread_local(address.object, offset, selector),
            _ => {
                let (unit, ty) = self.memory.type_of_local(address.object)?;
                let subobject = self
                    .program
                    .own_subobject(unit, ty, offset, selector.bytes())?;
                let text = self.memory.describe(address.object) + &subobject.path;
                Some(Name::new(text, subobject.inner || subobject.elements))
            }
        }
    }

    fn name_in_thread_local(
        &self,
        object: ObjectId,
        offset: u64,
        selector: SubobjectSelector,
    ) -> Option<Name> {
        let (thread, global) = self.owner_of_copy(object)?;
        let global = &self.program.globals()[global as usize];
        let subobject = global.ty.and_then(|ty| {
            self.program
                .own_subobject(global.unit, ty, offset, selector.bytes())
        });
        let path = subobject.as_ref().map_or("", |subobject| &subobject.path);
        let owner = self.thread_name(thread as u32);
        let text = format!("{owner}'s {}{path}", global.display_name);
        Some(Name::new(
            text,
            subobject.is_some_and(|subobject| subobject.inner || subobject.elements),
        ))
    }

    /// Whose copy of which variable an object is.
    fn owner_of_copy(&self, object: ObjectId) -> Option<(usize, u32)> {
        (0..self.threads.len()).find_map(|thread| {
            let locals = &self.threads[thread].locals;
            let found = locals.iter().find(|(_, copy)| *copy == object)?;
            Some((thread, found.0))
        })
    }

    /// Returns the thread that an object stands for, or `None`.
    pub fn thread_of_handle(&self, object: ObjectId) -> Option<u32> {
        let mut threads = 0..self.threads.len();
        let found = threads.find(|&thread| self.threads[thread].handle == object)?;
        object.is_dynamic().then_some(found as u32)
    }

    fn name_in_heap(
        &self,
        object: ObjectId,
        offset: u64,
        selector: SubobjectSelector,
    ) -> Option<Name> {
        let is_asked = self.observer.notes_events() || self.observer.explains();
        if !is_asked || self.memory.ilp32().is_some() {
            return None;
        }
        let freed = |o: crate::state::memory::ObjectRef<'_>| o.flags().has(Flags::FREED);
        if self.memory.peek(object).is_none_or(freed) {
            return None;
        }
        let mut typed = None;
        let mut paths = AccessPaths::new(self);
        while let Some(view) = paths.next() {
            if view.object != object {
                continue;
            }
            let Some((k, subobject)) = self.subobject_of_view(&view, offset, selector) else {
                continue;
            };
            let is_foreign = matches!(view.owner, Owner::Thread(1..));
            let is_only =
                || self.memory.allocation_name(object).is_some() || !self.has_twin(object);
            let in_words = self.in_words(&view, &subobject);
            if view.pointers > LONGEST
                || ((is_foreign || view.by_this)
                    && !self.is_lambda(&view)
                    && in_words.is_some()
                    && is_only())
            {
                typed = typed.or(in_words);
                continue;
            }
            let mut text = self.written(&view, k, &subobject);
            if let Owner::Thread(thread @ 1..) = view.owner {
                text = format!("{text} in {}", self.thread_name(thread));
            }
            return Some(Name::new(text, subobject.inner || subobject.elements));
        }
        typed
    }

    /// Whether some other object was allocated at the same place.
    fn has_twin(&self, object: ObjectId) -> bool {
        let origin = |o: ObjectId| {
            let view = self.memory.peek(o)?;
            let freed = view.flags().has(Flags::FREED);
            (!freed).then(|| view.origin()).flatten()
        };
        let mine = origin(object);
        let numbers = 0..self.memory.dynamic.len() as u32;
        let mut others = numbers.map(ObjectId::dynamic).filter(|o| *o != object);
        others.any(|other| mine.is_some() && origin(other) == mine)
    }

    /// The number of the element, and the part in it, at an offset in the object of a view.
    fn subobject_of_view(
        &self,
        view: &View,
        offset: u64,
        selector: SubobjectSelector,
    ) -> Option<(u64, Subobject)> {
        let inside = offset.checked_sub(view.start)?;
        let size = self.program.size_of_type(view.unit, view.ty)?;
        let (k, rest) = (inside / size, inside % size);
        if k > 0 && self.elements(view)? <= k {
            return None;
        }
        let subobject = self
            .program
            .own_subobject(view.unit, view.ty, rest, selector.bytes())?;
        Some((k, subobject))
    }

    /// How many elements there are from the start of a view on, if what follows may be divided into
    /// such.
    fn elements(&self, view: &View) -> Option<u64> {
        let size = self.program.size_of_type(view.unit, view.ty)?;
        let room = u64::from(self.memory.peek(view.object)?.size()).checked_sub(view.start)?;
        let may_be_base = self.program.is_polymorphic(view.unit, view.ty);
        match view.written {
            Written::Elements(_) => Some(room / size),
            _ => (room % size == 0 && !may_be_base).then_some(room / size),
        }
    }

    /// Whether it is what a lambda expression has captured, which the program names without more
    /// ado.
    fn is_lambda(&self, view: &View) -> bool {
        let record = self.program.record_name(view.unit, view.ty);
        record.is_some_and(|name| name.ends_with("(anonymous)"))
    }

    fn written(&self, view: &View, k: u64, subobject: &Subobject) -> String {
        let path = &subobject.path;
        match &view.written {
            Written::Variable(name) => format!("{name}{path}"),
            Written::Elements(name) => format!("{name}[{k}]{path}"),
            Written::This if self.is_lambda(view) => path.trim_start_matches('.').to_owned(),
            Written::This => format!("this->{}", path.trim_start_matches('.')),
            Written::Pointer(name) => {
                let single = k == 0 && self.elements(view).is_none_or(|count| count == 1);
                match path.strip_prefix('.') {
                    Some(member) if single => format!("{name}->{member}"),
                    _ if !single => format!("{name}[{k}]{path}"),
                    _ if path.is_empty() => format!("*{name}"),
                    _ => format!("(*{name}){path}"),
                }
            }
        }
    }

    /// What is said of a part of an object that no variable leads to: its own name there, and where
    /// the object was allocated.
    fn in_words(&self, view: &View, subobject: &Subobject) -> Option<Name> {
        let place = self.memory.peek(view.object)?.origin()?;
        let place = crate::state::memory::describe::place_in_words(self.program, place);
        let name = match self.is_lambda(view) {
            true => "lambda",
            false => self.program.own_type_name(view.unit, view.ty)?,
        };
        if self.elements(view) != Some(1) && !self.program.is_polymorphic(view.unit, view.ty) {
            return None;
        }
        let path = subobject.path.trim_start_matches('.');
        let object = self.memory.allocation_name(view.object);
        let text = match (object, self.index_in_allocation(view), path) {
            (Some(object), Some(0), _) => format!("{object}{}", subobject.path),
            (Some(object), Some(n), _) => format!("{object}[{n}]{}", subobject.path),
            (Some(object), None, "") => format!("the {name} in {object}"),
            (Some(object), None, _) => format!("{path} of the {name} in {object}"),
            (None, _, "") => format!("the {name} allocated at {place}"),
            (None, ..) => format!("{path} of the {name} allocated at {place}"),
        };
        Some(Name::new(text, subobject.inner || subobject.elements))
    }

    /// Which of the objects in an allocation a view is, if it is for such.
    fn index_in_allocation(&self, view: &View) -> Option<u64> {
        let Some(used_as) = self.memory.allocated_as(view.object) else {
            return (view.start == 0).then_some(0);
        };
        let size = self.program.size_of_type(used_as.unit, used_as.ty)?;
        let inside = view.start.checked_sub(used_as.start)?;
        let is_one = self.program.size_of_type(view.unit, view.ty) == Some(size);
        (inside == 0 || is_one && inside.is_multiple_of(size)).then(|| inside / size)
    }

    /// Returns an address in words: what is there, and where it was allocated if that has no name
    /// of its own.
    pub fn show_address(&self, address: Address) -> String {
        if let Some(thread) = self.thread_of_handle(address.object) {
            return self.thread_name(thread);
        }
        match address.object.kind() {
            ObjectKind::Dynamic(_) if !self.is_allocated(address.object) => {
                format!(
                    "&{}",
                    self.name_subobject(address, SubobjectSelector::Outermost)
                        .text
                )
            }
            _ => format!("&{}", self.memory.describe_pointer(address)),
        }
    }

    /// Returns whether the running thread executes an operation of a library that consists of
    /// smaller ones.
    pub fn is_in_composed_operation(&self) -> bool {
        let frames = self.frames_of(self.running);
        let own = |place: &CodePlace| self.system.own[place.function.0 as usize];
        let Some(first_own) = frames.iter().position(own) else {
            return false;
        };
        let outside = (frames.len() - first_own) as u32;
        let composed = |held: &Held| {
            use SectionType::{Barrier, Mutex, Once, ReaderWriter, Semaphore};
            let kinds = [Barrier, Mutex, Once, ReaderWriter, Semaphore];
            let is_composed = |kind| kinds.contains(&kind);
            held.frame >= outside
                && matches!(held.kind, HeldKind::Operation(kind) if is_composed(kind))
        };
        self.threads[self.running]
            .held
            .iter()
            .flatten()
            .any(composed)
    }

    /// Returns whether a library has made an object, such as a lock, for itself.
    pub fn is_of_library(&self, address: Address) -> bool {
        match address.object.kind() {
            ObjectKind::Global(n) => {
                let global = &self.program.globals()[n as usize];
                !self.program.is_users(global.unit) && stream(&global.name).is_none()
            }
            ObjectKind::Dynamic(_) => match self.peek_class(address.object) {
                Some(class) if class.is_allocated() => {
                    let name = self.name_subobject(address, SubobjectSelector::Innermost);
                    name.is_of_bytes && !self.is_called_by_program()
                }
                Some(Class::Stack) => {
                    let place = self.memory.peek(address.object).and_then(|o| o.origin());
                    place.is_some_and(|place| !self.system.own[place.function.0 as usize])
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether the running function is a library's with this linkage name, or is called
    /// by it within the library.
    pub fn is_called_by(&self, linkage_name: &str) -> bool {
        let frames = self.frames_of(self.running);
        let own = |place: &&CodePlace| !self.system.own[place.function.0 as usize];
        let mut library = frames.iter().take_while(own);
        library.any(|place| self.program.info(place.function).name == linkage_name)
    }

    /// Returns the name of the library function that the program's own code has called and the
    /// running thread executes, or `None`.
    pub fn library_call(&self) -> Option<&str> {
        let frames = self.frames_of(self.running);
        let own = |place: &CodePlace| self.system.own[place.function.0 as usize];
        let outermost = frames.iter().position(own)?.checked_sub(1)?;
        Some(&self.program.info(frames[outermost].function).display_name)
    }

    /// Whether an operation on a lock, or the like, is one that the program's own code asks for, as
    /// such.
    fn is_called_by_program(&self) -> bool {
        const PLAIN: [&str; 8] = [
            "std::mutex::",
            "std::recursive_mutex::",
            "std::lock_guard<",
            "std::unique_lock<",
            "std::scoped_lock<",
            "std::shared_lock<",
            "std::condition_variable::",
            "std::lock<",
        ];
        match self.library_call() {
            Some(name) => PLAIN.iter().any(|plain| name.starts_with(plain)),
            None => self.system.own[self.at.id.0 as usize],
        }
    }
}

/// Returns the name of a part of memory together with that of the allocated object which it is a
/// part of, given the part's name by which it is known on the path (as in `Node#2.next`). Nothing
/// is added to the name of an element of an array, which says which object that is, nor to that of
/// what a thread's lambda expression has captured, whose object a library has allocated.
pub fn name_of_both(name: &str, identity: &str) -> String {
    let is_name = |c: char| !c.is_ascii_digit();
    let object = identity.split_once('#').map(|(kind, rest)| {
        let digits = rest.find(is_name).unwrap_or(rest.len());
        identity.split_at(kind.len() + 1 + digits)
    });
    match object {
        Some((object, path)) => {
            let is_captured = object.starts_with("object#") && name.contains(" in thread ");
            let is_element = name.ends_with(']') && is_element(path);
            match name.contains(object) || is_captured || is_element {
                true => name.to_owned(),
                false => format!("{name} ({object})"),
            }
        }
        None => name.to_owned(),
    }
}

/// Whether what is written after the name of an array is that of an element.
fn is_element(path: &str) -> bool {
    let is_index = path.starts_with('[') && path.find(']') == Some(path.len() - 1);
    path.is_empty() || is_index || path.starts_with(", byte ")
}

/// What the program calls a stream of the C library.
fn stream(symbol: &str) -> Option<&'static str> {
    match symbol {
        "__stdin_FILE" => Some("stdin"),
        "__stdout_FILE" => Some("stdout"),
        "__stderr_FILE" => Some("stderr"),
        _ => None,
    }
}

impl Machine<'_> {
    /// Returns the name of a thread in messages.
    pub fn thread_name(&self, number: u32) -> String {
        thread_name(self.memory.reported_thread(number as usize))
    }
}

/// Returns the name in messages of a thread with a number in reports.
pub fn thread_name(number: u32) -> String {
    match number {
        0 => "the main thread".into(),
        n => format!("thread {n}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_added_to_names_that_do_not_say_which_they_are() {
        let both = name_of_both;
        assert_eq!(both("head->next", "Node#12.next"), "head->next (Node#12)");
        assert_eq!(both("*top", "Node#12"), "*top (Node#12)");
        assert_eq!(both("Node#12.next", "Node#12.next"), "Node#12.next");
        assert_eq!(
            both("nodes[1].next", "Node#3[1].next"),
            "nodes[1].next (Node#3)"
        );
        assert_eq!(both("table[2]", "int#1[2]"), "table[2]");
        assert_eq!(both("line[2]", "object#1, byte 2"), "line[2]");
        assert_eq!(
            both("job in thread 1", "object#3, byte 8"),
            "job in thread 1"
        );
        assert_eq!(both("count", "count"), "count");
    }
}
