//! What all threads of a search share: the program, the options, the store, and what was noted.

use crate::base::fault::ErrorKind;
use crate::base::hangs::{Draining, Hangs};
use crate::base::options::{Clocks, MemoryModelName, OnAbort, Options, Por, Tracking};
use crate::machine::environment::{self, Environment};
use crate::machine::futures::Futures;
use crate::machine::operation::{self, Counting, Operation};
use crate::machine::outcomes::Outcomes;
use crate::machine::spin::{SpinLoops, reads_inputs};
use crate::machine::symmetry::Symmetry;
use crate::state::exception_tables::Tables;
use crate::state::guesses::Guesses;
use crate::state::memory::Shared;
use crate::state::memory::object::{Class, Object};
use crate::state::stale::Stale;
use crate::state::thread::HeldKind;
use crate::state::undecided::Undecided;
use crate::state::weak::{Unread, Weak};
use crate::value::symbolic::SharedTerms;
use impasse_limits::Cancel;
use impasse_program::link::{FunctionId, Program};
use impasse_program::spin::SpinLoop;
use impasse_store::{Id, Interner};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// The name of the function that starts everything.
pub const START: &str = "__impasse_start";
/// Names that the machine calls, besides [`START`].
pub const ROOTS: [&str; 11] = [
    START,
    "__impasse_thread_exit",
    "__impasse_cancelled",
    "__impasse_fail",
    "__impasse_fail_with_null",
    "__impasse_unwind_thread",
    "__impasse_copy_pieces",
    "__impasse_fill_pieces",
    "__impasse_load_pieces",
    "__impasse_store_pieces",
    "exit",
];

/// The C library's functions that make text of values, and dates of times.
const FORMATS: [&str; 11] = [
    "printf_core",
    "pad",
    "fmt_x",
    "fmt_o",
    "fmt_u",
    "fmt_fp",
    "__strftime_l",
    "__strftime_fmt_1",
    "__secs_to_tm",
    "__secs_to_zone",
    "scan_trans",
];

/// Functions by which a program can come to read what it has printed: they open files and pipes,
/// redirect descriptors, give streams a buffer, or say how far a stream is.
const REREAD: [&str; 36] = [
    "accept",
    "accept4",
    "creat",
    "dup",
    "dup2",
    "dup3",
    "fcntl",
    "fdopen",
    "fmemopen",
    "fopen",
    "fopencookie",
    "freopen",
    "ftell",
    "ftello",
    "fgetpos",
    "memfd_create",
    "mkostemp",
    "mkstemp",
    "open",
    "open_memstream",
    "open_wmemstream",
    "openat",
    "pipe",
    "pipe2",
    "popen",
    "recvmsg",
    "setbuf",
    "setbuffer",
    "setlinebuf",
    "setvbuf",
    "shm_open",
    "socket",
    "socketpair",
    "syscall",
    "tmpfile",
    "fileno",
];

/// What a search leaves to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// Inputs that may have too many values to try each.
    Inputs,
    /// The clock stood still, and something has read it.
    Clock,
    /// Hangs that only spurious failures end: the search took these for edges that end sections.
    SpuriousFailures,
    /// Every object had an address of its own, and the program could observe that.
    Reuse,
    /// What weaker orders than sequential consistency permit.
    WeakerOrders,
    /// Sequentially consistent actions whose order may differ from that in which they are executed.
    Order,
    /// Races between accesses that are never adjacent.
    FarRaces,
    /// What follows reads of atomics that do not synchronise, in a search for races of adjacent
    /// accesses under C11.
    WeakReads,
}

impl LeftOut {
    const NAMES: [(LeftOut, &str); 8] = [
        (LeftOut::Inputs, "inputs"),
        (LeftOut::Clock, "clock"),
        (LeftOut::SpuriousFailures, "spurious-failures"),
        (LeftOut::Reuse, "address-reuse"),
        (LeftOut::WeakerOrders, "weaker-orders"),
        (LeftOut::Order, "order"),
        (LeftOut::FarRaces, "far-races"),
        (LeftOut::WeakReads, "weak-reads"),
    ];

    /// Returns its name in results.
    pub fn name(self) -> &'static str {
        let found = LeftOut::NAMES.iter().find(|(it, _)| *it == self);
        found.expect("all have names").1
    }

    /// Returns the one with a name, or `None` if there is none.
    pub fn named(name: &str) -> Option<LeftOut> {
        let found = LeftOut::NAMES.iter().find(|(_, it)| *it == name);
        found.map(|(it, _)| *it)
    }
}

/// What is particular about the calls of a function of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It may fail spuriously, and returns this then.
    FailsSpuriously(u64),
    /// It asks the environment this.
    Asks(&'static str),
}

impl Mark {
    fn of(name: &str) -> Option<Mark> {
        let fails = operation::fails_spuriously(name).map(Mark::FailsSpuriously);
        fails.or_else(|| environment::question(name).map(Mark::Asks))
    }
}

/// What all threads of a search share.
pub struct System {
    /// The program, which copies of the system share.
    pub program: Arc<Program>,
    /// Stored forms of objects, frames and threads.
    pub store: Interner,
    /// The initial stored form of every global.
    pub initial: Vec<Id>,
    /// The exception tables of functions.
    pub tables: Tables,
    /// For each function whether it stands in one of the program's own files, and not in a
    /// library's (which a header of a library is).
    pub own: Vec<bool>,
    /// For each function the operation of a library that it is, if it is one that waits.
    pub operations: Vec<Option<Operation>>,
    /// For each function what it gives up, if it is a library's operation that gives up a lock.
    pub giving_up: Vec<Option<HeldKind>>,
    /// For each global whether it is the guard of a static local variable (the C++ ABI's `_ZGV…`).
    pub guards: Vec<bool>,
    /// libc++'s function that makes the key of its thread-specific data on first use.
    pub thread_data: Option<FunctionId>,
    /// For each function whether its calls are more than calls.
    pub marks: Vec<Option<Mark>>,
    /// For each function what it does with the number of references to what objects of the C++
    /// library share.
    pub countings: Vec<Option<Counting>>,
    /// The final values of marked variables.
    pub outcomes: Outcomes,
    /// Asks long steps to stop.
    pub cancel: Arc<Cancel>,
    /// What of happens-before states have (`history`).
    pub tracking: Tracking,
    /// Whether freed addresses are used again.
    pub reusing: bool,
    /// Whether the order of sequentially consistent actions is followed under C11, instead of that
    /// in which they are executed.
    pub follows_psc: bool,
    /// Whether a search under sequential consistency was exhausted before and found no error.
    pub searched_under_sc: bool,
    /// Whether the program could observe it.
    pub stale: Stale,
    /// Whether threads communicate by what does not synchronise.
    pub weak: Weak,
    /// The atomics of which a search under C11 drops what only loads could read.
    pub unread: Unread,
    /// Those of which it guesses that while it runs.
    pub guesses: Guesses,
    /// What a search under C11 may have missed.
    pub undecided: Undecided,
    /// Whether the program can execute fences, once that was found out.
    pub fences: OnceLock<bool>,
    /// What threads will access, as far as it was observed.
    pub futures: Futures,
    /// Which threads may be symmetric.
    pub symmetry: Symmetry,
    /// The spin loops of the program.
    pub spin_loops: SpinLoops,
    /// Whether the program can read inputs other than random bytes.
    pub reads_inputs: bool,
    /// What the program has asked of its environment.
    pub environment: Environment,
    /// The terms that values may be, if inputs are followed symbolically.
    pub terms: Option<SharedTerms>,
    /// Whether an input was reached that only a search that follows inputs can give all values.
    pub input_is_read: AtomicBool,
    /// Whether the values of an input were tried one by one that such a search would follow.
    pub input_is_tried: AtomicBool,
    /// Which functions only make text of values, by their numbers.
    pub formats: Vec<bool>,
    /// Whether something that reads a clock was reached while the clock stands still.
    pub clock_is_read: AtomicBool,
    /// Whether a read was reached that does not synchronise, while races are those of adjacent
    /// accesses, and states say which stores can be read.
    pub weak_read: AtomicBool,
    /// Whether a reference was counted by a read that does not synchronise and is no weak read.
    pub reference_counted: AtomicBool,
    /// Whether something was read that may be a reference count, and does not synchronise.
    pub count_read: AtomicBool,
    /// Whether an operation has failed spuriously in this search. Copies of the system must agree
    /// on it where states are drained.
    pub spurious_failure_seen: AtomicBool,
    /// Whether an earlier search of the program has seen a spurious failure.
    pub spurious_failures_known: bool,
    /// What earlier searches of the program have left to this one, in order.
    pub earlier: Vec<LeftOut>,
    /// Whether rules may name accesses whose races are not reported.
    pub relaxes: bool,
    /// Whether the program has standard streams of C++.
    pub has_streams: bool,
    /// Whether the program cannot come to read what it has printed.
    pub text_is_final: bool,
    /// The options.
    pub options: Options,
    /// The main thread's first function.
    pub start: FunctionId,
    /// The program's `main`.
    pub main: Option<FunctionId>,
    /// What a thread runs when its start routine is left.
    pub thread_exit: FunctionId,
    /// What `pthread_exit` runs where destructors wait in the frames that it leaves.
    pub unwind_thread: FunctionId,
    /// What makes long accesses in pieces.
    pub pieces: PieceFunctions,
    /// What a cancelled thread runs.
    pub cancelled: Option<FunctionId>,
    /// Whether the program can cancel threads.
    pub cancels: bool,
    /// What a thread runs that a signal interrupts, if the program sends any.
    pub handle_signal: Option<FunctionId>,
    /// What waits in a list of the runtime's, in a local variable: it has to return.
    pub listed: [Option<FunctionId>; 2],
    /// Sets `errno` and returns -1.
    pub fail: Option<FunctionId>,
    /// Sets `errno` and returns null.
    pub fail_with_null: Option<FunctionId>,
    /// C's `exit`.
    pub exit: FunctionId,
}

/// Whether a program can call a function of the machine.
fn has_builtin(program: &Program, name: &str) -> bool {
    program.builtins().iter().any(|(_, other)| other == name)
}

/// Whether threads of a program may be symmetric: where no thread's stores are delayed, and what
/// threads wait for ends without them.
fn has_symmetry(program: &Program, options: &Options) -> bool {
    let delays = matches!(
        options.memory_model,
        MemoryModelName::Tso | MemoryModelName::TsoFlusher
    );
    options.symmetry && !delays && !has_builtin(program, "pthread_cancel")
}

/// Functions of the runtime that make accesses of more than a word in pieces.
#[derive(Clone, Copy, Debug)]
pub struct PieceFunctions {
    /// Copies.
    pub copy: FunctionId,
    /// Fills.
    pub fill: FunctionId,
    /// Loads two words.
    pub load: FunctionId,
    /// Stores two words.
    pub store: FunctionId,
}

impl PieceFunctions {
    /// Returns whether a function makes an access in pieces.
    pub fn contains(&self, function: FunctionId) -> bool {
        [self.copy, self.fill, self.load, self.store].contains(&function)
    }
}

/// What of happens-before states have in the first search of a check.
fn first_tracking(options: &Options) -> Tracking {
    match options.memory_model.needs_history() {
        false => Tracking::Nothing,
        true if options.adjacent_races_first && options.races => Tracking::Messages,
        true => Tracking::Accesses,
    }
}

impl System {
    /// Returns a system for a program that was linked with [`ROOTS`] and `builtin`. Fails with the
    /// name of a root that it lacks.
    pub fn new(program: impl Into<Arc<Program>>, mut options: Options) -> Result<System, String> {
        let mut program: Arc<Program> = program.into();
        // Arithmetic of an input that is followed with an undefined value divides into cases.
        let must_keep = options.signed_overflow
            || options.symbolic_clocks
            || options.reads_unknown_text()
            || reads_inputs(&program);
        if must_keep && !program.keeps_live() {
            let own = Arc::get_mut(&mut program);
            own.expect("the first system of a program").keep_live();
        }
        options.races &= !options.suppressions.cover_all_races();
        let store = Interner::on(&options.backing);
        let mut buffer = Vec::new();
        let initial = program.globals().iter().map(|global| {
            let object = Object::of_global(Class::Global, global, &program);
            buffer.clear();
            object.encode(&mut buffer);
            store.intern(&buffer).id
        });
        let initial = initial.collect();
        let own = (0..program.functions()).map(|n| {
            let info = program.info(FunctionId(n));
            let place = program.declared_at(info.unit, info.location);
            program.is_users(info.unit) && !place.is_some_and(|p| p.file.starts_with("/library/"))
        });
        let own = own.collect();
        let names = || (0..program.functions()).map(|n| &program.info(FunctionId(n)).name);
        let operations = names().map(|name| operation::operation(name)).collect();
        let giving_up = names().map(|name| operation::gives_up(name)).collect();
        let marks = names().map(|name| Mark::of(name)).collect();
        let countings = names().map(|name| operation::counting(name)).collect();
        let formats = names()
            .map(|name| FORMATS.contains(&name.as_str()))
            .collect();
        let globals = program.globals().iter();
        let guards = globals.map(|g| g.name.starts_with("_ZGV")).collect();
        let find = |name: &str| {
            let found = program.find_function(name);
            found.ok_or_else(|| format!("the runtime lacks {name}"))
        };
        Ok(System {
            start: find(START)?,
            main: program.find_function("main"),
            thread_exit: find("__impasse_thread_exit")?,
            unwind_thread: find("__impasse_unwind_thread")?,
            pieces: PieceFunctions {
                copy: find("__impasse_copy_pieces")?,
                fill: find("__impasse_fill_pieces")?,
                load: find("__impasse_load_pieces")?,
                store: find("__impasse_store_pieces")?,
            },
            cancelled: program.find_function("__impasse_cancelled"),
            cancels: has_builtin(&program, "pthread_cancel"),
            handle_signal: program.find_function("__impasse_handle_signal"),
            listed: ["__impasse_wait_for_descriptors", "__impasse_wait_for_wake"]
                .map(|name| program.find_function(name)),
            fail: program.find_function("__impasse_fail"),
            fail_with_null: program.find_function("__impasse_fail_with_null"),
            exit: find("exit")?,
            initial,
            tables: Tables::new(&program),
            own,
            operations,
            giving_up,
            marks,
            countings,
            formats,
            guards,
            thread_data: program.find_function("_ZNSt3__119__thread_local_dataEv"),
            store,
            outcomes: Outcomes::new(&program, options.outcomes),
            cancel: Arc::default(),
            tracking: first_tracking(&options),
            reusing: false,
            follows_psc: false,
            searched_under_sc: false,
            stale: Stale::new(options.address_reuse),
            weak: Weak::default(),
            unread: Unread::default(),
            guesses: Guesses::default(),
            undecided: Undecided::default(),
            fences: OnceLock::new(),
            futures: Futures::default(),
            symmetry: Symmetry::new(has_symmetry(&program, &options)),
            spin_loops: SpinLoops::new(&program),
            reads_inputs: reads_inputs(&program),
            environment: Environment::default(),
            terms: None,
            input_is_read: AtomicBool::new(false),
            input_is_tried: AtomicBool::new(false),
            clock_is_read: AtomicBool::new(false),
            weak_read: AtomicBool::new(false),
            reference_counted: AtomicBool::new(false),
            count_read: AtomicBool::new(false),
            spurious_failure_seen: AtomicBool::new(false),
            spurious_failures_known: false,
            earlier: Vec::new(),
            text_is_final: REREAD
                .iter()
                .all(|name| program.find_function(name).is_none()),
            has_streams: program.globals().iter().any(|it| it.standard_stream),
            relaxes: options.races
                && options
                    .suppressions
                    .concern(|kind| kind == ErrorKind::DataRace),
            options,
            program,
        })
    }

    /// Returns what the memories of all search threads share.
    pub fn memory(&self) -> Shared<'_> {
        Shared {
            program: &self.program,
            store: &self.store,
            initial: &self.initial,
            tables: &self.tables,
            stale: &self.stale,
            reuses_addresses: self.reusing,
            keeps_escaped: self.tracking.is_on(),
            terms: self.terms.as_ref(),
        }
    }

    /// Returns whether a search that follows inputs symbolically may come next.
    pub fn may_follow_inputs(&self) -> bool {
        // Where the time is unknown, values are marked that depend on it.
        self.options.symbolic_inputs
            && self.options.nondet.is_none()
            && self.options.clocks != Clocks::Unknown
    }

    /// Returns whether the program can execute fences. Where it can't, nothing acquires later what
    /// relaxed loads have read.
    #[inline]
    pub fn has_fences(&self) -> bool {
        *self.fences.get_or_init(|| self.program.has_fences())
    }

    /// Returns whether a search explores only some threads where the others need not move before
    /// them.
    pub fn is_selective(&self) -> bool {
        let options = &self.options;
        options.por == Por::Persistent
            && !self.memory_model().has_own_transitions()
            && self.draining() != Draining::Always
            && options.clocks == Clocks::Unread
            && self.handle_signal.is_none()
            && !self.follows_psc
            && !self.reusing
            && self.terms.is_none()
            && !self.options.suppressions.may_end_executions()
    }

    /// Returns whether a step of a thread runs on through the iterations of a spin loop.
    pub fn shortens_spin_loops(&self) -> bool {
        let options = &self.options;
        self.is_selective()
            && options.races
            && options.abort == OnAbort::Error
            && !options.malloc_fail
            && options.nondet.is_none()
            && !self.reads_inputs
            && !options.reads_unknown_text()
    }

    /// Returns whether a step may do so: the program has a spin loop.
    pub fn may_shorten_spin_loops(&self) -> bool {
        let mut functions = (0..self.program.functions()).map(FunctionId);
        self.shortens_spin_loops() && functions.any(|id| !self.spin_loops_of(id).is_empty())
    }

    /// Returns the spin loops of a function.
    pub fn spin_loops_of(&self, function: FunctionId) -> &[SpinLoop] {
        let is_plain = |id: FunctionId| {
            let at = id.0 as usize;
            self.operations[at].is_none()
                && self.giving_up[at].is_none()
                && self.marks[at].is_none()
        };
        self.spin_loops.of(&self.program, function, &is_plain)
    }

    /// Returns whether an exhausted search of this system has left out executions that a search of
    /// the [next system](System::next) covers.
    pub fn leaves_out(&self) -> bool {
        self.left_out().is_some()
    }

    /// Returns whether all that an exhausted search has left out is races between accesses that are
    /// never adjacent: it has visited every state.
    pub fn leaves_only_races(&self) -> bool {
        self.left_out() == Some(LeftOut::FarRaces)
    }

    /// Returns a system for the same program, to be searched next for what this one has left out.
    pub fn next(self) -> System {
        let left_out = self.left_out();
        self.after(left_out)
    }

    /// Returns the system of the search after an exhausted one of this system that leaves something
    /// out.
    pub fn after(self, left_out: Option<LeftOut>) -> System {
        let system = self.covering(left_out);
        let unread = match left_out {
            Some(LeftOut::WeakerOrders) => self.weak.unread(),
            Some(LeftOut::Order) => Unread::default(),
            _ => self.unread,
        };
        System {
            unread,
            searched_under_sc: self.searched_under_sc || left_out == Some(LeftOut::WeakerOrders),
            environment: self.environment,
            ..system
        }
    }

    /// Returns a system that covers what the search of this one has left out so far, or `None` if
    /// that is nothing. The search need not be over.
    pub fn ahead(&self) -> Option<System> {
        let left_out = self.left_out()?;
        Some(self.covering(Some(left_out)))
    }

    /// A system for the same program that covers what one search of this has left out. It relies on
    /// nothing that only an exhausted search knows.
    fn covering(&self, left_out: Option<LeftOut>) -> System {
        let options = match left_out {
            Some(LeftOut::Clock) if self.options.symbolic_clocks => Options {
                clocks: Clocks::Symbolic,
                step_cache: false,
                ..self.options.clone()
            },
            Some(LeftOut::Clock) => Options {
                clocks: Clocks::Moving,
                ..self.options.clone()
            },
            Some(LeftOut::Reuse | LeftOut::Inputs) => Options {
                step_cache: false,
                ..self.options.clone()
            },
            Some(LeftOut::SpuriousFailures | LeftOut::Order | LeftOut::WeakReads) | None => {
                self.options.clone()
            }
            Some(LeftOut::WeakerOrders) => Options {
                memory_model: MemoryModelName::C11,
                ..self.options.clone()
            },
            Some(LeftOut::FarRaces) => Options {
                hangs: Hangs::Off,
                outcomes: false,
                ..self.options.clone()
            },
        };
        let follows_inputs = left_out == Some(LeftOut::Inputs)
            || self.terms.is_some()
            || options.clocks == Clocks::Symbolic;
        let system = System::new(Arc::clone(&self.program), options);
        let system = system.expect("the roots, which this one has");
        System {
            terms: follows_inputs.then(SharedTerms::default),
            spurious_failures_known: self.spurious_failures_known
                || left_out == Some(LeftOut::SpuriousFailures),
            reusing: self.reusing || left_out == Some(LeftOut::Reuse),
            follows_psc: self.follows_psc || left_out == Some(LeftOut::Order),
            searched_under_sc: self.searched_under_sc,
            tracking: match left_out {
                Some(LeftOut::FarRaces | LeftOut::WeakReads | LeftOut::Order) => Tracking::Accesses,
                _ => system.tracking.max(self.tracking),
            },
            cancel: Arc::clone(&self.cancel),
            earlier: self.earlier.iter().copied().chain(left_out).collect(),
            ..system
        }
    }

    /// Returns whether a search for races of adjacent accesses under C11 has left out what follows
    /// reads that do not synchronise.
    pub fn reads_weakly(&self) -> bool {
        let same_number = self.weak.has_same_number();
        let counts = self.reference_counted.load(Relaxed) && self.count_read.load(Relaxed);
        self.weak_read.load(Relaxed) || counts || self.undecided.hides_reads(same_number)
    }

    /// Returns what an exhausted search leaves to the next one first.
    pub fn left_out(&self) -> Option<LeftOut> {
        if self.input_is_read.load(Relaxed) {
            Some(LeftOut::Inputs)
        } else if self.clock_is_read.load(Relaxed) {
            Some(LeftOut::Clock)
        } else if self.reads_weakly() {
            Some(LeftOut::WeakReads)
        } else if self.ignored_spurious_failures() {
            Some(LeftOut::SpuriousFailures)
        } else if !self.reusing && self.stale.is_noted() {
            Some(LeftOut::Reuse)
        } else if self.options.memory_model == MemoryModelName::Auto && self.weak.is_any_weaker() {
            Some(LeftOut::WeakerOrders)
        } else if self.undecided.is_noted(self.weak.has_same_number()) {
            Some(LeftOut::Order)
        } else {
            self.needs_history().then_some(LeftOut::FarRaces)
        }
    }

    /// Returns a system for the same program whose behaviours include all those of the program at
    /// arbitrary times. The step cache is off, since its steps do not say how single bytes depend
    /// on the time. Otherwise, the options are as given.
    pub fn with_unknown_time(self, options: &Options) -> System {
        let options = Options {
            clocks: Clocks::Unknown,
            step_cache: false,
            ..options.clone()
        };
        let system = System::new(self.program, options);
        System {
            spurious_failures_known: self.spurious_failures_known,
            reusing: self.reusing,
            follows_psc: self.follows_psc,
            unread: self.unread,
            searched_under_sc: self.searched_under_sc,
            cancel: self.cancel,
            environment: self.environment,
            earlier: self.earlier,
            ..system.expect("the roots, which this one has")
        }
    }

    /// Returns whether a search that found no race may have missed one, which a search with a
    /// history finds.
    pub fn needs_history(&self) -> bool {
        self.options.races && self.tracking != Tracking::Accesses && self.weak.is_noted()
    }
}
