//! Threads: starting, ending, joining, cancelling.
//!
//! What `pthread_t` points to is an object of size 0 that stands for the thread. It is freed when
//! the thread is joined, or ends detached, so that a use after that is seen.

use super::mutex::Patience;
use crate::base::fault::{Awaited, ErrorKind, Halt, Result, blocked, error, unsupported};
use crate::base::section_type::SectionType;
use crate::exec::interpret::Flow;
use crate::machine::builtin::{ArgumentAccess, TIME_BYTES, reads, writes};
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::footprint::Place;
use crate::machine::{Machine, Stop};
use crate::state::frame::Stack;
use crate::state::happens_before::{Holder, Op};
use crate::state::memory::object::{Class, Flags, Object};
use crate::state::thread::{Identity, Phase, Thread, ThreadKind, Wait};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::Scalar;
use impasse_program::link::{FunctionId, Target};
use impasse_program::word::Word;
use std::sync::Arc;

const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const CANCELED: u64 = u64::MAX;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("pthread_create", 4, create)
        .accessing(&[writes(0, 8), reads(1, ATTRIBUTES_BYTES).unless_null()]),
    Builtin::new("pthread_join", 2, |m, a| join(m, a, Patience::Wait))
        .accessing(&[RESULT])
        .waiting(SectionType::Join),
    Builtin::new("pthread_tryjoin_np", 2, |m, a| {
        join(m, a, Patience::None(EBUSY))
    })
    .accessing(&[RESULT]),
    Builtin::new("pthread_timedjoin_np", 3, |m, a| {
        join(m, a, Patience::Until(a[2]))
    })
    .accessing(&[RESULT, reads(2, TIME_BYTES).unless_null()]),
    Builtin::new("pthread_detach", 1, detach),
    Builtin::new("pthread_exit", 1, exit),
    Builtin::new("sched_yield", 0, |_, _| Returned::int(0)),
    Builtin::new("pthread_cancel", 1, cancel),
    Builtin::new("pthread_setcancelstate", 2, set_cancel_state).accessing(&[FORMER]),
    Builtin::new("pthread_setcanceltype", 2, set_cancel_type).accessing(&[FORMER]),
    Builtin::new("__impasse_cancel_requested", 0, |m, _| {
        let requested = m.cancelled();
        if !requested && !m.thread().cancel_disabled {
            m.act()?;
        }
        if m.cancelled() {
            m.acquire_sent();
        }
        Returned::int(m.cancelled() as i32)
    }),
];

const ATTRIBUTES_BYTES: u64 = 56;
/// How the runtime detaches a thread that stands for a timer.
const TIMER: u32 = 3;
/// What a thread returned.
const RESULT: ArgumentAccess = writes(1, 8).unless_null();
/// What was set before.
const FORMER: ArgumentAccess = writes(1, 4).unless_null();

/// Functions of the runtime that only mark with a thread's number what it holds.
const MARKING: [&str; 3] = ["__lockfile", "ftrylockfile", "exit"];

/// What synchronises with no other thread.
pub(crate) const QUESTIONS: &[Builtin] = &[
    Builtin::new("pthread_self", 0, |m, _| {
        m.distinguish(m.running);
        let handle = m.thread().handle;
        Ok(Returned::Word(Word::pointer(Address::of(handle).bits())))
    }),
    Builtin::new("pthread_equal", 2, |m, a| {
        let same = a[0].bits == a[1].bits || m.share_address(a[0], a[1])?;
        Returned::int(same as i32)
    }),
    Builtin::new("__impasse_thread_id", 0, |m, _| {
        if !MARKING.iter().any(|name| m.is_called_by(name)) {
            m.distinguish(m.running);
        }
        Returned::int(m.running as i32 + 1)
    }),
];

/// Two stages: storing the id is a plain access, which the second one, starting the thread, orders
/// before what that thread does. C demands it of `thrd_create`, C++ of `std::thread`; POSIX does
/// not, but this is what C libraries do.
fn create(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if machine.handles_within_wait() {
        return unsupported("starting a thread in a signal handler");
    }
    if machine.thread().wait == Wait::None {
        store_id(machine, arguments)?;
        if machine.must_stop() || machine.memory.takes_number.is_some() {
            return Ok(Returned::Stop(Stop::SchedulingPoint));
        }
    }
    start(machine, arguments)
}

/// Makes what stands for a new thread, and stores its id.
fn store_id(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<()> {
    machine.start_routine(arguments[2])?;
    let room = machine.room(Class::Machine)?;
    let spot = machine.access(0, arguments[0])?;
    let attribute = match machine.access_unless_null(1, arguments[1])? {
        None => 0,
        Some(_) => machine.field(arguments[1], 24, "thread attribute")?,
    };
    let object = Object::undefined(Class::Machine, 0, 3, Some(machine.place()));
    let handle = Word::pointer(Address::of(machine.allocate_in(room, object)).bits());
    machine.store_checked(Scalar::Pointer, spot, Value::one(handle));
    machine.thread().wait = Wait::Starting {
        handle,
        detached: attribute == 1 || attribute == TIMER,
        is_timer: attribute == TIMER,
    };
    Ok(())
}

/// Starts the thread.
fn start(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.act_on(Place::ThreadNumbers, true)?;
    let Wait::Starting {
        handle,
        detached,
        is_timer,
    } = std::mem::take(&mut machine.thread().wait)
    else {
        unreachable!("the first stage is over");
    };
    let function = machine.start_routine(arguments[2])?;
    let mut thread = Thread::new(Address::from_bits(handle.bits).object);
    thread.detached = detached;
    thread.is_timer = is_timer;
    thread.kind = ThreadKind {
        routine: function.0 + 1,
        creator: machine.running as u32,
    };
    thread.signals = machine.thread().signals.inherited();
    let mut stack = Stack::default();
    let frame = stack.push(machine.program, function);
    let base = frame.base;
    if !machine
        .program
        .info(function)
        .signature
        .parameters
        .is_empty()
    {
        stack.words[base] = arguments[3];
    }
    thread.images.push(stack.image(0));
    let free = machine.threads.identities().position(|t| t.is_free);
    let number = match free {
        Some(number) => {
            machine.system.weak.note_same_number();
            machine.distinguish_threads_of(number);
            machine.threads[number] = thread;
            number
        }
        None => {
            machine.threads.push(Arc::new(thread));
            machine.threads.len() - 1
        }
    };
    machine.effects.start_thread(number);
    machine.effects.start_thread(machine.running);
    machine.count_threads();
    machine.track_start(number);
    machine.memory.record_start(number);
    note_start(machine, number as u32, function);
    Ok(Returned::Last(Word::number(0)))
}

fn note_start(machine: &mut Machine<'_>, thread: u32, function: FunctionId) {
    if !machine.observer.notes_events() {
        return;
    }
    let name = machine.thread_name(thread);
    let text = match machine.system.own[function.0 as usize] {
        true => {
            let routine = &machine.program.info(function).display_name;
            format!("starts {name} in {routine}")
        }
        false if is_timer(machine, function) => format!("starts {name}, a timer"),
        false => format!("starts {name}"),
    };
    let thread = machine.memory.reported_thread(thread as usize);
    machine.note(crate::machine::record::Action::Start { thread, text });
}

/// Whether a thread that runs this function is a timer of the runtime's.
fn is_timer(machine: &Machine<'_>, function: FunctionId) -> bool {
    let info = machine.program.info(function);
    let place = machine.program.declared_at(info.unit, info.location);
    place.is_some_and(|place| place.file.ends_with("runtime/timers.c"))
}

impl Machine<'_> {
    fn start_routine(&self, routine: Word) -> Result<FunctionId> {
        let address = self.memory.address(routine)?;
        let target = match address.object.kind() {
            ObjectKind::Function(index) if address.offset == 0 => {
                self.program.function_object(index)
            }
            _ => None,
        };
        let Some(Target::Function(function)) = target else {
            return error(
                ErrorKind::InvalidCall,
                "starts a thread in something that is no function",
            );
        };
        let info = self.program.info(function);
        let fits = matches!(
            info.signature.parameters.as_slice(),
            [] | [Scalar::Pointer | Scalar::Integer(64)]
        );
        if !fits {
            return error(
                ErrorKind::InvalidCall,
                format!(
                    "starts a thread in {}, which takes other parameters",
                    info.display_name
                ),
            );
        }
        Ok(function)
    }

    /// The thread that a `pthread_t` stands for.
    pub(crate) fn thread_of(&self, handle: Word, verb: &str) -> Result<usize> {
        let address = self.memory.address(handle)?;
        let freed = |o: crate::state::memory::ObjectRef| o.flags().has(Flags::FREED);
        if self.memory.get(address.object).is_some_and(freed) {
            return error(
                ErrorKind::ThreadMisuse,
                format!("{verb} a thread that was joined already, or was detached and has ended"),
            );
        }
        let found = self.threads.identities().position(|t| {
            t.handle == address.object && t.phase != Phase::Gone && t.handle != ObjectId::NULL
        });
        match found {
            Some(number) => Ok(number),
            None => error(
                ErrorKind::ThreadMisuse,
                format!("{verb} something that is no thread"),
            ),
        }
    }

    /// Whether the running thread is to be cancelled at its next cancellation point.
    pub(crate) fn cancelled(&mut self) -> bool {
        let thread = self.thread();
        thread.cancel_requested && !thread.cancel_disabled
    }

    /// The running thread is cancelled here. Does not return.
    pub(crate) fn become_cancelled(&mut self) -> Result<Returned> {
        let Some(function) = self.system.cancelled else {
            return unsupported("cancellation, which the runtime lacks");
        };
        self.thread().result = Word::number(CANCELED);
        self.acquire_sent();
        self.continue_in(function, &[])
    }

    /// Continues in a function, whose results are the builtin's.
    pub(crate) fn continue_in(&mut self, function: FunctionId, words: &[Word]) -> Result<Returned> {
        self.calls();
        self.enter(function, words)?;
        Ok(Returned::Moved)
    }
}

fn join(machine: &mut Machine<'_>, arguments: &[Word], patience: Patience) -> Result<Returned> {
    let (handle, result) = (arguments[0], arguments[1]);
    if machine.history.looks_ahead() {
        return join_ahead(machine, handle, result);
    }
    match patience {
        Patience::Wait => {
            if let Ok(number) = machine.thread_of(handle, "joins")
                && !machine.cancelled()
            {
                machine.note_join_ahead(number);
            }
            machine.act()?;
        }
        _ => machine.visible_action()?,
    }
    if let Patience::Until(_) = patience {
        machine.access_unless_null(2, arguments[2])?;
    }
    if machine.cancelled() && !matches!(patience, Patience::None(EBUSY)) {
        return machine.become_cancelled();
    }
    let number = machine.thread_of(handle, "joins")?;
    let kind = machine.threads.identity(number).kind;
    let is_plain = matches!(patience, Patience::Wait) && result.is_defined() && result.bits == 0;
    if !is_plain || kind.creator as usize != machine.running {
        machine.distinguish(number);
    }
    if let Patience::Wait = patience {
        // Which thread of the kind ended first does not matter.
        let others = machine.joinable_of_kind(number);
        if !others.is_empty() {
            machine.system.symmetry.note_use(kind);
        }
        for &other in others.iter().chain([&number]) {
            machine.join_with(other, number);
        }
        let runs = |other: &&usize| machine.threads.identity(**other).phase != Phase::Finished;
        if let Some(&other) = others.iter().find(runs) {
            machine.join_with(other, number);
            machine.block_quietly()?;
            let name = machine.thread_name(other as u32);
            return blocked(Awaited::End, name, [other as u32]);
        }
    }
    if machine.threads[number].detached {
        return error(
            ErrorKind::ThreadMisuse,
            format!(
                "joins {}, which is detached",
                machine.thread_name(number as u32)
            ),
        );
    }
    if machine.threads[number].phase != Phase::Finished {
        if let Some(error) = machine.give_up_with(patience)? {
            machine.observe_weakly();
            return Returned::int(error);
        }
        machine.block_quietly()?;
        let name = machine.thread_name(number as u32);
        return blocked(Awaited::End, name, [number as u32]);
    }
    machine.check_joins_alone(number)?;
    machine.history.forget_kind_join(machine.running as u32);
    machine.track_join(number);
    if let Some(spot) = machine.access_unless_null(1, result)? {
        let value = Value::one(machine.threads[number].result);
        machine.store_checked(Scalar::Pointer, spot, value);
    }
    machine.note_operation(|m| format!("joins {}", m.thread_name(number as u32)));
    machine.forget_thread(number);
    Returned::int(0)
}

/// The running thread would join another one, and its joins are looked for: goes on behind the
/// join, as if the other thread had ended. Halts where that is not all that happens.
fn join_ahead(machine: &mut Machine<'_>, handle: Word, result: Word) -> Result<Returned> {
    let is_ignored = result.is_defined() && result.bits == 0;
    if let Ok(number) = machine.thread_of(handle, "joins")
        && number != machine.running
        && is_ignored
        && !machine.threads[number].detached
        && machine.history.join_ahead(number as u32)
    {
        machine.footprint.mark();
        return Returned::int(0);
    }
    Err(Box::new(Halt::SchedulingPoint))
}

impl Machine<'_> {
    /// A join of `joined` waits for the end of a thread.
    fn join_with(&mut self, number: usize, joined: usize) {
        let records = self.threads.touched().map(|other| other as u32);
        let records = records.filter(|other| *other != joined as u32);
        self.footprint.join(number as u32, records);
    }

    /// No thread can refer to the finished thread any more.
    pub(crate) fn forget_thread(&mut self, number: usize) {
        let handle = self.threads[number].handle;
        let gone = self.threads[number].gone(number);
        if gone.identity().is_free {
            self.record_touch(Place::ThreadNumbers, true);
        }
        self.threads[number] = gone;
        self.memory.free(handle);
    }
}

fn detach(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.act()?;
    let number = machine.thread_of(arguments[0], "detaches")?;
    machine.distinguish(number);
    machine.record_touch(Place::Detached(number as u32), true);
    let Identity {
        phase, is_detached, ..
    } = machine.threads.identity(number);
    if is_detached {
        return error(
            ErrorKind::ThreadMisuse,
            format!(
                "detaches {}, which is detached already",
                machine.thread_name(number as u32)
            ),
        );
    }
    let detach = |thread: &mut Thread| thread.detached = true;
    machine.threads.change_named(number, detach);
    if phase == Phase::Finished {
        machine.system.weak.note_detached();
        machine.track(Op::Erase(Holder::Ended(number as u32)));
        machine.forget_thread(number);
    }
    Returned::int(0)
}

fn exit(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let result = match machine.thread().cancel_requested && machine.thread().cancel_disabled {
        true if machine.thread().result.bits == CANCELED => machine.thread().result,
        _ => arguments[0],
    };
    if machine.clean_up_waits()? {
        machine.thread().cancel_disabled = true;
        return machine.continue_in(machine.system.unwind_thread, &[result]);
    }
    match machine.begin_exit(result)? {
        Flow::Stop(stop) => Ok(Returned::Stop(stop)),
        _ => Ok(Returned::Moved),
    }
}

fn cancel(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.act()?;
    let number = machine.thread_of(arguments[0], "cancels")?;
    machine.distinguish(number);
    machine.check_not_joining(number)?;
    let target = &machine.threads[number];
    if target.cancel_asynchronous && !target.cancel_disabled && target.is_alive() {
        return cancel_anywhere(machine, number);
    }
    machine.threads[number].cancel_requested = true;
    machine.release_sent(number);
    machine.note_operation(|m| format!("cancels {}", m.thread_name(number as u32)));
    Returned::int(0)
}

/// Cancels a thread that reacts anywhere.
fn cancel_anywhere(machine: &mut Machine<'_>, number: usize) -> Result<Returned> {
    if number != machine.running {
        return unsupported("asynchronous cancellation of another thread");
    }
    machine.thread().cancel_requested = true;
    machine.become_cancelled()
}

/// Whether a call of `pthread_setcancelstate` changes anything.
pub(crate) fn changes_cancel_state(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let state = arguments[0].bits as u32;
    state <= 1 && machine.thread().cancel_disabled != (state == 1)
}

/// Whether the thread that is to be joined has ended: glibc only reads the state of one that has
/// not.
pub(crate) fn has_ended(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let joined = machine.thread_of(arguments[0], "joins");
    joined.map_or(true, |number| {
        machine.threads[number].phase == Phase::Finished
    })
}

fn set_cancel_state(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (state, old) = (arguments[0].bits as u32, arguments[1]);
    if state > 1 {
        return Returned::int(EINVAL);
    }
    let is_asynchronous = machine.thread().cancel_asynchronous;
    machine.changes_cancellation(is_asynchronous)?;
    let before = machine.thread().cancel_disabled;
    if old.bits != 0 || !old.is_defined() {
        machine.store_number(1, old, u32::from(before))?;
    }
    machine.thread().cancel_disabled = state == 1;
    machine.cancelled_at_once()
}

/// Whether a call of `pthread_setcanceltype` changes anything.
pub(crate) fn changes_cancel_type(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let kind = arguments[0].bits as u32;
    kind <= 1 && machine.thread().cancel_asynchronous != (kind == 1)
}

fn set_cancel_type(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (kind, old) = (arguments[0].bits as u32, arguments[1]);
    if kind > 1 {
        return Returned::int(EINVAL);
    }
    let before = machine.thread().cancel_asynchronous;
    machine.changes_cancellation(before || kind == 1)?;
    if old.bits != 0 || !old.is_defined() {
        machine.store_number(1, old, u32::from(before))?;
    }
    machine.thread().cancel_asynchronous = kind == 1;
    machine.cancelled_at_once()
}

impl Machine<'_> {
    /// Before the running thread changes how it reacts to cancellation. Who cancels it observes
    /// whether it reacts anywhere.
    fn changes_cancellation(&mut self, is_asynchronous: bool) -> Result<()> {
        match self.system.cancels && is_asynchronous {
            true => self.visible_action(),
            false => Ok(()),
        }
    }

    /// Returns 0, unless the running thread was cancelled and reacts to that anywhere.
    fn cancelled_at_once(&mut self) -> Result<Returned> {
        match self.thread().cancel_asynchronous && self.cancelled() {
            true => self.become_cancelled(),
            false => Returned::int(0),
        }
    }
}
