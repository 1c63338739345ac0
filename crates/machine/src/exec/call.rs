//! Calls.

mod returns;

use crate::base::fault::{ErrorKind, Halt, Result, error, unsupported};
use crate::base::section_type::SectionType;
use crate::exec::interpret::pieces::{Copy, Pieces};
use crate::exec::interpret::{Flow, is_function};
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::record::Action;
use crate::machine::route::Route;
use crate::machine::system::Mark;
use crate::machine::{Machine, Stop};
use crate::state::memory::object::{Class, Object};
use crate::state::memory::{Access, Spot};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::harness::is_harness;
use impasse_program::instruction::{Argument, CallSite, CallSiteId, Callee, Scalar, Slot};
use impasse_program::link::{BuiltinId, FunctionId, Target};
use impasse_program::word::{Word, mask};
use smallvec::SmallVec;

/// As many words as a system call takes.
const SPARE_WORDS: u64 = 6;

/// What a call passes.
pub type Words = SmallVec<[Word; 8]>;

/// Arguments that the callee's frame begins with copying.
type Copies = SmallVec<[Copy; 1]>;

impl<'s> Machine<'s> {
    /// Executes the call at a site: enters a function, or executes a builtin. Fails if the call is
    /// an error or the builtin halts.
    pub fn call(&mut self, site: CallSiteId) -> Result<Flow> {
        let function = self.at.function;
        let call = &function.body.sites[site.0 as usize];
        match self.target(site)? {
            Target::Function(id) if self.system.marks[id.0 as usize].is_some() => {
                self.call_marked(id, call)
            }
            Target::Function(id) if function.simple[site.0 as usize] => self.call_simply(id, call),
            Target::Function(id) => self.call_function(id, call),
            Target::Builtin(id) => self.call_builtin(id, call),
            Target::Missing(index) => {
                let name = &self.program.missing()[index as usize];
                unsupported(format!("the function {name}, which is defined nowhere"))
            }
            Target::Absent => error(ErrorKind::NullDereference, "calls a null function pointer"),
            Target::Global(..) => error(ErrorKind::InvalidCall, "calls a variable"),
        }
    }

    /// A call of a function that may fail spuriously, or asks the environment something.
    fn call_marked(&mut self, id: FunctionId, call: &'s CallSite) -> Result<Flow> {
        match self.system.marks[id.0 as usize] {
            Some(Mark::FailsSpuriously(returned))
                if self.options.spurious_failures && self.fails_spuriously()? =>
            {
                self.note_spurious_failure(id, call);
                self.write_results(call, &[Word::number(returned)]);
                return Ok(Flow::Next);
            }
            Some(Mark::Asks(what)) if !self.program.is_users(self.program.info(id).unit) => {
                self.ask_environment(what.into());
            }
            _ => {}
        }
        self.call_function(id, call)
    }

    /// Notes that a call fails spuriously.
    fn note_spurious_failure(&mut self, id: FunctionId, call: &'s CallSite) {
        if !self.observer.notes_events() {
            return;
        }
        let name = &self.program.info(id).display_name;
        let name = name.rsplit("::").next().unwrap_or(name).to_owned();
        let of = call.arguments.first().map(|object| {
            let object = self.read(object.value);
            format!(" of {}", self.name_of(object))
        });
        let text = format!("{name}{} fails spuriously", of.unwrap_or_default());
        self.note(Action::Choice { text });
    }

    /// Returns what the call at a site calls. Fails if the address names no function.
    #[inline]
    pub fn target(&self, site: CallSiteId) -> Result<Target> {
        let function = self.at.function;
        match function.body.sites[site.0 as usize].callee {
            Callee::Symbol(_) => Ok(function.targets[site.0 as usize]),
            Callee::Address(operand) => self.target_of(self.read(operand)),
        }
    }

    fn target_of(&self, word: Word) -> Result<Target> {
        if !word.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "the function to call is undefined",
            );
        }
        let address = Address::from_bits(word.bits);
        if let ObjectKind::Function(index) = address.object.kind()
            && is_function(address)
            && let Some(target) = self.program.function_object(index)
        {
            return Ok(target);
        }
        if address.object == ObjectId::NULL && address.offset == 0 {
            return error(ErrorKind::NullDereference, "calls a null function pointer");
        }
        error(
            ErrorKind::InvalidCall,
            format!(
                "calls {}, which is no function",
                self.memory.describe(address.object)
            ),
        )
    }

    /// Returns the words that are passed at a call site.
    pub fn arguments_of(&self, site: CallSiteId) -> Words {
        self.arguments(&self.at.function.body.sites[site.0 as usize].arguments)
    }

    fn arguments(&self, arguments: &[Argument]) -> Words {
        let mut words = Words::new();
        for argument in arguments {
            let value = self.read_scalar(argument.value, argument.scalar);
            words.push(value.low);
            if argument.scalar.words() == 2 {
                words.push(value.high);
            }
        }
        words
    }

    /// A call whose arguments are what the function's first slots take.
    fn call_simply(&mut self, id: FunctionId, call: &'s CallSite) -> Result<Flow> {
        let base = self.push_frame(id)?;
        let mut slot = base;
        for argument in &call.arguments {
            let value = self.read_scalar(argument.value, argument.scalar);
            self.stack.words[slot] = value.low;
            if argument.scalar.words() == 2 {
                self.stack.words[slot + 1] = value.high;
            }
            slot += argument.scalar.words() as usize;
        }
        let first = (slot > base).then(|| self.stack.words[base]);
        let caller = self.stack.frames.len() - 2;
        self.stack.frames[caller].calling = true;
        self.progress.spend(1);
        self.reload();
        self.note_library_call(id, first)?;
        Ok(Flow::Moved)
    }

    /// A function of the library was entered that may be one of its operations, or give up one of
    /// its locks. Fails if the running thread does not hold that.
    #[inline]
    fn note_library_call(&mut self, id: FunctionId, first: Option<Word>) -> Result<()> {
        if let Some(operation) = self.system.operations[id.0 as usize] {
            self.begin_operation(operation.kind, first);
        }
        if let (Some(kind), Some(lock)) = (self.system.giving_up[id.0 as usize], first) {
            let frames = &self.stack.frames;
            let caller = frames.len().checked_sub(2).map(|index| frames[index].id);
            if caller.and_then(|id| self.system.giving_up[id.0 as usize]) != Some(kind) {
                self.give_up_library_lock(kind, lock)?;
            }
        }
        Ok(())
    }

    fn call_function(&mut self, id: FunctionId, call: &'s CallSite) -> Result<Flow> {
        let signature = &self.program.info(id).signature;
        let count = signature.parameters.len();
        let is_main = self.system.main == Some(id);
        let enough = call.arguments.len() == count
            || (call.arguments.len() > count && (signature.variadic || is_main));
        let types = call.arguments.iter().zip(&signature.parameters);
        let fits = types.clone().all(|(a, p)| same_register(a.scalar, *p));
        let results = (call.results.len() == signature.results.len()
            && call
                .results
                .iter()
                .zip(&signature.results)
                .all(|(a, b)| same_register(*a, *b)))
            || (is_main && signature.results.is_empty());
        if !enough || !fits || !results {
            return match self.is_harness(id) {
                true => self.call_harness(id, call),
                false => self.wrong_type(id, call, enough && fits),
            };
        }
        let order = self.observe_arguments(&call.arguments)?;
        let mut later = Copies::new();
        let (fixed, rest) = call.arguments.split_at(count);
        let mut words = self.arguments(fixed);
        let area = match signature.variadic {
            true => {
                let users = self.program.is_users(self.program.info(id).unit);
                Some(self.argument_area(rest, users, &mut later)?)
            }
            false => None,
        };
        let copies = self.copies_of_arguments(fixed, &mut words, &mut later)?;
        self.progress.spend(1);
        self.calls();
        self.enter(id, &words)?;
        self.note_library_call(id, words.first().copied())?;
        let frame = self.stack.frames.last_mut().expect("the new frame");
        frame.objects.extend(copies);
        if let Some(object) = area {
            let frame = self.stack.frames.last_mut().expect("the new frame");
            frame.arguments = object;
            frame.objects.push(object);
        }
        for copy in &later {
            self.enter_copy(copy, order)?;
        }
        Ok(Flow::Moved)
    }

    /// Whether it is a function of the library that programs declare as they like.
    fn is_harness(&self, id: FunctionId) -> bool {
        let info = self.program.info(id);
        is_harness(&info.name) && !self.program.is_users(info.unit)
    }

    /// Returns whether a call of a function passes other types than it takes.
    pub fn converts(&self, call: &CallSite, id: FunctionId) -> bool {
        let parameters = &self.program.info(id).signature.parameters;
        let same = call.arguments.len() == parameters.len()
            && call
                .arguments
                .iter()
                .zip(parameters)
                .all(|(a, p)| same_register(a.scalar, *p));
        !same && self.is_harness(id)
    }

    /// A call of such a function by another type: a condition is whether the argument is not zero,
    /// what is not needed is not passed, and the lowest bits of the result are returned.
    #[cold]
    fn call_harness(&mut self, id: FunctionId, call: &'s CallSite) -> Result<Flow> {
        let info = self.program.info(id);
        let other = || unsupported(format!("{} with these types", info.display_name));
        let converts = |a: Scalar, b: Scalar| same_register(a, b) || is_number(a) && is_number(b);
        if !call
            .results
            .iter()
            .zip(&info.signature.results)
            .all(|(a, b)| converts(*a, *b))
        {
            return other();
        }
        let mut words = Words::new();
        for (index, parameter) in info.signature.parameters.iter().enumerate() {
            words.push(match call.arguments.get(index) {
                None => return self.wrong_type(id, call, false),
                Some(argument) if same_register(argument.scalar, *parameter) => {
                    self.read(argument.value)
                }
                Some(argument) if *parameter == CONDITION && is_number(argument.scalar) => {
                    let value = self.read_scalar(argument.value, argument.scalar);
                    match value.is_term() {
                        false => truth(value),
                        true => self.truth_of_term(value, argument.scalar)?,
                    }
                }
                Some(_) => return other(),
            });
        }
        self.progress.spend(1);
        self.calls();
        self.enter(id, &words)?;
        self.note_library_call(id, words.first().copied())?;
        Ok(Flow::Moved)
    }

    #[cold]
    fn wrong_type(&self, id: FunctionId, call: &CallSite, arguments_fit: bool) -> Result<Flow> {
        let info = self.program.info(id);
        // Stands for each function that has no definition in the class that the object is of now.
        if info.name == "__cxa_pure_virtual" {
            return error(
                ErrorKind::InvalidCall,
                "calls a pure virtual function: the part of the object that overrides it is not \
                 constructed yet, or was destroyed",
            );
        }
        if arguments_fit {
            return error(
                ErrorKind::InvalidCall,
                format!(
                    "calls {} as a function that returns {}, but it returns {}",
                    info.display_name,
                    returned(&call.results),
                    returned(&info.signature.results),
                ),
            );
        }
        error(
            ErrorKind::InvalidCall,
            format!(
                "calls {} with {} arguments of types that it does not take (it takes {})",
                info.display_name,
                call.arguments.len(),
                info.signature.parameters.len(),
            ),
        )
    }

    /// Reading what arguments are copied from may be visible. All of it is one action, besides
    /// what is copied in pieces, in the order that it returns.
    fn observe_arguments(&mut self, arguments: &[Argument]) -> Result<Pieces> {
        let mut order = None;
        for argument in arguments {
            let Some((bytes, _)) = argument.by_value else {
                continue;
            };
            let (word, bytes) = (self.read(argument.value), u64::from(bytes));
            let address = self.memory.address(word)?;
            if !self.is_in_pieces(word, bytes) {
                self.observe_also(Route::Forwarded, address, bytes, Access::Read, false)?;
            } else if order.is_none() {
                order = Some(self.order_of_pieces(bytes)?);
            }
        }
        Ok(order.unwrap_or(Pieces::Ascending))
    }

    /// Copies an argument to where the callee finds it; later, if it is copied in pieces.
    fn copy_argument(
        &mut self,
        to: Spot,
        from: Word,
        bytes: u32,
        later: &mut Copies,
    ) -> Result<()> {
        let bytes = u64::from(bytes);
        let source = self.memory.resolve(from, bytes, Access::Read)?;
        if !self.is_in_pieces(from, bytes) {
            let (route, bytes) = (Route::Delayed, bytes as usize);
            return self.model().copy(self, route, to, source, bytes);
        }
        let to = Address {
            object: to.object,
            offset: to.offset as i64,
        };
        later.push(Copy {
            to: Word::pointer(to.bits()),
            from,
            bytes,
        });
        Ok(())
    }

    /// Arguments that the callee gets copies of: makes the copies and passes their addresses.
    fn copies_of_arguments(
        &mut self,
        arguments: &[Argument],
        words: &mut Words,
        later: &mut Copies,
    ) -> Result<SmallVec<[ObjectId; 2]>> {
        let mut copies = SmallVec::new();
        let mut at = 0;
        for argument in arguments {
            if let Some((bytes, align)) = argument.by_value {
                let align = align.max(1).trailing_zeros() as u8;
                let object = Object::undefined(Class::Stack, bytes, align, Some(self.place()));
                let copy = self.memory.allocate(object);
                let to = Spot {
                    object: copy,
                    offset: 0,
                };
                self.copy_argument(to, words[at], bytes, later)?;
                words[at] = Word::pointer(Address::of(copy).bits());
                copies.push(copy);
            }
            at += argument.scalar.words() as usize;
        }
        Ok(copies)
    }

    /// The object that holds variable arguments as the convention of x86-64, or of i386, lays them
    /// out on the stack. A function of the C library may read more than it was given (`syscall`
    /// does, and passes it on): it finds undefined words, and zeros above an `int`. A function of
    /// the program finds undefined bits above an `int`, as natively.
    fn argument_area(
        &mut self,
        arguments: &[Argument],
        users: bool,
        later: &mut Copies,
    ) -> Result<ObjectId> {
        let layout = self.program.variable_arguments(arguments);
        for argument in arguments {
            let value = self.read_scalar(argument.value, argument.scalar);
            self.check_pointer32(argument.scalar, value)?;
        }
        let spare = match users {
            true => 0,
            false => SPARE_WORDS * u64::from(self.program.pointer().bytes()),
        };
        let size = layout.bytes + spare;
        let object = Object::undefined(Class::Machine, size as u32, 4, Some(self.place()));
        let area = self.memory.allocate(object);
        for (argument, offset, promoted) in layout.arguments {
            let spot = Spot {
                object: area,
                offset: offset as usize,
            };
            let value = self.read_scalar(argument.value, argument.scalar);
            if let Some((bytes, _)) = argument.by_value {
                self.copy_argument(spot, value.low, bytes, later)?;
            } else {
                let scalar = if users { argument.scalar } else { promoted };
                self.store_checked(scalar, spot, value);
            }
        }
        Ok(area)
    }

    fn call_builtin(&mut self, id: BuiltinId, call: &'s CallSite) -> Result<Flow> {
        let builtin = Builtin::from_id(id);
        if self.program.ilp32().is_some() && !Builtin::supports_ilp32(id) {
            return unsupported(format!("{} with pointers of 32 bits", builtin.name()));
        }
        if self.history.looks_ahead() && builtin.waits() != Some(SectionType::Join) {
            return Err(Box::new(Halt::SchedulingPoint));
        }
        let words = self.arguments(&call.arguments);
        if words.len() < builtin.parameters() {
            return error(
                ErrorKind::InvalidCall,
                format!("calls {} with too few arguments", builtin.name()),
            );
        }
        let delays = self.model().has_store_buffers() && self.drain_before(id, &words)?;
        self.call.begin(builtin, delays);
        let returned = builtin.call(self, &words);
        self.call.end();
        match returned? {
            Returned::Nothing => {
                self.write_results(call, &[]);
                Ok(Flow::Next)
            }
            Returned::Word(word) => {
                self.write_results(call, &[word]);
                Ok(Flow::Next)
            }
            Returned::Last(word) => {
                self.write_results(call, &[word]);
                self.at.position += 1;
                Ok(Flow::Stop(Stop::SchedulingPoint))
            }
            Returned::Moved => Ok(Flow::Moved),
            Returned::Stop(stop) => Ok(Flow::Stop(stop)),
        }
    }

    /// Assigns the results of a call; where the callee gave fewer words than the caller wants, the
    /// rest is undefined.
    pub(crate) fn write_results(&mut self, call: &CallSite, words: &[Word]) {
        let mut at = 0;
        for scalar in &call.results {
            for part in 0..scalar.words() {
                let width = scalar.bits().saturating_sub(part * 64).min(64);
                let fits = |word: &Word| {
                    (word.bits | word.undefined) & !mask(width) == 0
                        && (width == 64 || !word.pointer)
                };
                let word = match words.get(at) {
                    Some(&word) if !word.term.is_none() => self.memory.fit_term(word, width),
                    Some(word) if fits(word) => *word,
                    Some(&word) => crate::value::Value::with_undefined(
                        word.bits as u128,
                        word.undefined as u128,
                        width,
                    )
                    .low
                    .with_pointer(word.pointer && width == 64),
                    None => Word::undefined(width),
                };
                self.write(Slot(call.destination.0 + at as u32), word);
                at += 1;
            }
        }
    }
}

/// The type of a condition that a harness function takes.
const CONDITION: Scalar = Scalar::Integer(32);

fn is_number(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::Integer(_) | Scalar::Wide(_) | Scalar::Pointer | Scalar::Pointer32
    )
}

/// Whether a value is not zero, as far as its defined bits show.
fn truth(value: Value) -> Word {
    let ones = value.bits() & !value.undefined_bits();
    match ones != 0 || value.is_defined() {
        true => Word::number(u64::from(ones != 0)),
        false => Word::undefined(32),
    }
}

/// What a function with these results returns, for people.
fn returned(results: &[Scalar]) -> String {
    match results {
        [] => "nothing".into(),
        [Scalar::Pointer | Scalar::Pointer32] => "a pointer".into(),
        [Scalar::Integer(bits) | Scalar::Wide(bits)] => format!("an integer of {bits} bits"),
        [number] => format!("a floating-point number of {} bits", number.bits()),
        _ => "a structure".into(),
    }
}

fn same_register(a: Scalar, b: Scalar) -> bool {
    let class = |s| match s {
        Scalar::Pointer => Scalar::Integer(64),
        other => other,
    };
    class(a) == class(b)
}
