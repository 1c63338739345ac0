//! Calls: of the program's functions, of the library's, and of the machine's own.
//!
//! A function of the program is executed where it is called. What the C standard says of a function of the library is
//! used in place of its code where a table has it: that it returns, if its arguments are what it asks for, and what it
//! writes to.

use super::execute::Frame;
use super::graph::Graph;
use super::state::{State, Val};
use super::{Executor, Result, Stop};
use impasse_machine::builtin::Builtin;
use impasse_machine::fault::CodePlace;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{CallSite, CallSiteId, Callee, Instruction, Scalar, Slot};
use impasse_program::link::{FunctionId, Target};
use impasse_solver::Test;
use std::rc::Rc;

/// How deep calls may be inside of each other.
const DEEPEST: usize = 100;

/// What a function of the library writes to.
#[derive(Clone, Copy)]
enum Effect {
    /// Nothing that the program can see.
    Nothing,
    /// What its first argument points to, which is also what it returns.
    First,
    /// Whatever its arguments point to.
    Arguments,
    /// It does not return.
    Ends,
}

/// Functions of the library after which others may be called at other times than they seem to be.
const OUT_OF_ORDER: &[&str] = &[
    "atexit",
    "at_quick_exit",
    "on_exit",
    "__cxa_atexit",
    "signal",
    "sigaction",
    "raise",
    "alarm",
    "setitimer",
    "longjmp",
    "siglongjmp",
    "system",
    "fork",
];

fn effect(name: &str) -> Option<Effect> {
    let effect = match name {
        "abs" | "labs" | "llabs" | "strlen" | "strnlen" | "strcmp" | "strncmp" | "strcasecmp"
        | "strncasecmp" | "memcmp" | "strchr" | "strrchr" | "strstr" | "memchr" | "strspn"
        | "strcspn" | "strpbrk" | "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper"
        | "islower" | "isprint" | "ispunct" | "isxdigit" | "iscntrl" | "toupper" | "tolower"
        | "atoi" | "atol" | "atoll" | "atof" | "rand" | "srand" | "random" | "getchar" | "getc"
        | "fgetc" | "printf" | "puts" | "putchar" | "putc" | "fputc" | "fputs" | "fprintf"
        | "fflush" | "perror" | "fabs" | "fabsf" | "sqrt" | "sqrtf" | "floor" | "floorf"
        | "ceil" | "ceilf" | "round" | "trunc" | "fmod" | "sin" | "cos" | "tan" | "exp" | "log"
        | "pow" | "sinf" | "cosf" | "log10" | "log2" | "exp2" | "atan" | "atan2" | "asin"
        | "acos" | "fmin" | "fmax" | "__fpclassify" | "__fpclassifyf" | "__signbit"
        | "__signbitf" | "fdim" | "rint" | "nearbyint" | "lrint" | "lround" | "copysign"
        | "remainder" | "nan" | "fmaxf" | "fminf" | "roundf" | "truncf" | "fmodf" | "expf"
        | "logf" | "powf" | "tanf" => Effect::Nothing,
        "strcpy" | "strncpy" | "strcat" | "strncat" | "fgets" | "gets" => Effect::First,
        "sprintf" | "snprintf" | "scanf" | "sscanf" | "fscanf" | "strtol" | "strtoul"
        | "strtod" | "frexp" | "modf" | "time" | "fread" => Effect::Arguments,
        "exit" | "_exit" | "_Exit" | "abort" | "quick_exit" => Effect::Ends,
        _ => return None,
    };
    Some(effect)
}

impl<'s> Executor<'_, 's> {
    /// Executes a call. Whether the path goes on.
    pub(super) fn call(
        &mut self,
        frame: &Frame<'s>,
        state: &mut State,
        site: CallSiteId,
        place: CodePlace,
    ) -> Result<bool> {
        let call = &frame.function.body.sites[site.0 as usize];
        if call.returns_twice {
            return Err(Stop::Unsupported("setjmp".into()));
        }
        let target = match call.callee {
            Callee::Symbol(_) => frame.function.targets[site.0 as usize],
            Callee::Address(operand) => {
                let callee = self.read_operand(frame, state, operand, Scalar::Pointer);
                self.callee(callee)?
            }
        };
        match target {
            Target::Builtin(id) => self.builtin(Builtin::from_id(id).name(), frame, state, call),
            Target::Function(id) => {
                let info = self.subject.system.program.info(id);
                let own = self.subject.system.program.is_users(info.unit);
                if !own && OUT_OF_ORDER.contains(&&info.name[..]) {
                    return Err(Stop::Unsupported(format!("the function {}", info.name)));
                }
                match effect(&info.name).filter(|_| !own) {
                    Some(effect) => self.library(effect, frame, state, call),
                    None => self.function(id, frame, state, call, place),
                }
            }
            _ => Err(Stop::Unsupported(
                "a call of a function that is not defined".into(),
            )),
        }
    }

    fn callee(&self, address: Val) -> Result<Target> {
        let constant = self.terms.as_constant(address.term);
        let object = constant.map(|bits| Address::from_bits(bits as u64).object.kind());
        let target = match object {
            Some(ObjectKind::Function(index)) => self.subject.system.program.function_object(index),
            _ => None,
        };
        target.ok_or_else(|| Stop::Unsupported("a call through a pointer".into()))
    }

    fn arguments(&self, frame: &Frame<'_>, state: &State, call: &CallSite) -> Vec<Val> {
        let each = call.arguments.iter();
        each.flat_map(|argument| self.words(frame, state, argument.value, argument.scalar))
            .collect()
    }

    /// Makes the results anything.
    fn give_anything(&self, state: &mut State, call: &CallSite) {
        let mut slot = call.destination.0;
        for scalar in &call.results {
            for part in 0..scalar.words() {
                let width = (scalar.bits() - 64 * part).min(64) as u8;
                self.set(state, Slot(slot), self.anything(width));
                slot += 1;
            }
        }
    }

    fn library(
        &mut self,
        effect: Effect,
        frame: &Frame<'_>,
        state: &mut State,
        call: &CallSite,
    ) -> Result<bool> {
        let arguments = self.arguments(frame, state, call);
        arguments.iter().for_each(|&value| self.expose(value));
        self.give_anything(state, call);
        let written = match effect {
            Effect::Ends => return Ok(false),
            Effect::Nothing => 0,
            Effect::First => 1,
            Effect::Arguments => arguments.len(),
        };
        for &value in arguments.iter().take(written) {
            match value.object(self.terms) {
                Some(object) => state.memory.blur(object),
                None if self.terms.width(value.term) == 64 => self.blur_all(&mut state.memory),
                None => {}
            }
        }
        if let (Effect::First, [scalar]) = (effect, &call.results[..])
            && scalar.is_pointer()
        {
            self.set(state, call.destination, arguments[0]);
        }
        Ok(true)
    }

    /// Executes a function with a body.
    fn function(
        &mut self,
        id: FunctionId,
        frame: &Frame<'s>,
        state: &mut State,
        call: &'s CallSite,
        place: CodePlace,
    ) -> Result<bool> {
        if self.calls.len() > DEEPEST {
            return Err(Stop::Unsupported("calls that are too deep".into()));
        }
        let signature = &self.subject.system.program.info(id).signature;
        if signature.variadic {
            return Err(Stop::Unsupported(
                "a function with variable arguments".into(),
            ));
        }
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument.by_value {
                Some((bytes, _)) => {
                    let size = self.terms.constant(u128::from(bytes), 64);
                    let copy = self.make(state, size, false);
                    let from = self.read_operand(frame, state, argument.value, Scalar::Pointer);
                    if !self.transfer(state, (copy, Val::of(size)), Some(from), None) {
                        return Ok(false);
                    }
                    arguments.push(copy);
                }
                None => arguments.extend(self.words(frame, state, argument.value, argument.scalar)),
            }
        }
        let slots = std::mem::take(&mut state.slots);
        let entered = State {
            slots: arguments.into_iter().map(Some).collect(),
            memory: std::mem::take(&mut state.memory),
            path: std::mem::take(&mut state.path),
        };
        let Some(left) = self.enter(id, entered, place)? else {
            return Ok(false);
        };
        *state = State {
            slots,
            ..left.clone()
        };
        let mut index = 0;
        for scalar in &call.results {
            for part in 0..scalar.words() {
                let width = (scalar.bits() - 64 * part).min(64) as u8;
                let value = left.slots.get(index).copied().flatten();
                let value = value.unwrap_or_else(|| self.anything(width));
                let term = self.terms.resize_unsigned(value.term, width);
                let slot = Slot(call.destination.0 + index as u32);
                self.set(state, slot, Val { term, ..value });
                index += 1;
            }
        }
        Ok(true)
    }

    /// Executes a function from its entry, where the slots are its arguments, to where it returns, where they are its results.
    pub(super) fn enter(
        &mut self,
        id: FunctionId,
        state: State,
        place: CodePlace,
    ) -> Result<Option<State>> {
        let known = self
            .recursions
            .iter()
            .rposition(|recursion| recursion.function == id);
        if let Some(known) = known {
            return self.call_again(known, state).map(Some);
        }
        if self.calls.contains(&id) {
            return Err(Stop::Unsupported("a recursion through a pointer".into()));
        }
        self.calls.push(id);
        let left = match self.is_recursive(id) {
            true => self.recursion(id, state, place),
            false => self.body(id, state),
        };
        self.calls.pop();
        left
    }

    /// Executes the body of a function.
    pub(super) fn body(&mut self, id: FunctionId, mut state: State) -> Result<Option<State>> {
        let frame = self.frame(id)?;
        state.slots.resize(frame.function.body.slots as usize, None);
        let all = frame.graph.ids().collect();
        let start = super::graph::BlockId(0);
        let flow = self.run(&frame, (start, false), &all, state)?;
        Ok(self.merge(flow.returns))
    }

    pub(super) fn frame(&mut self, id: FunctionId) -> Result<Frame<'s>> {
        let program = &self.subject.system.program;
        let function = program.function(id);
        let graph = match self.graphs.get(&id) {
            Some(graph) => graph.clone(),
            None => {
                let graph = Graph::of(&function.body).ok_or_else(|| {
                    Stop::Unsupported("a loop that can be entered in two places".into())
                })?;
                let graph = Rc::new(graph);
                self.graphs.insert(id, graph.clone());
                graph
            }
        };
        let users = program.is_users(program.info(id).unit);
        Ok(Frame {
            id,
            function,
            graph,
            users,
        })
    }

    /// Whether a function may call itself, directly or through others.
    fn is_recursive(&mut self, id: FunctionId) -> bool {
        if let Some(&known) = self.recursive.get(&id) {
            return known;
        }
        let program = &self.subject.system.program;
        let mut seen = Vec::new();
        let mut open = vec![id];
        let mut found = false;
        while let Some(next) = open.pop() {
            let function = program.function(next);
            let calls = function
                .body
                .code
                .iter()
                .filter_map(|instruction| match instruction {
                    Instruction::Call { site } => Some(function.targets[site.0 as usize]),
                    _ => None,
                });
            for target in calls {
                let Target::Function(called) = target else {
                    continue;
                };
                let info = program.info(called);
                if effect(&info.name).is_some() && !program.is_users(info.unit) {
                    continue;
                }
                found |= called == id;
                if !seen.contains(&called) {
                    seen.push(called);
                    open.push(called);
                }
            }
        }
        self.recursive.insert(id, found);
        found
    }

    fn builtin(
        &mut self,
        name: &str,
        frame: &Frame<'_>,
        state: &mut State,
        call: &CallSite,
    ) -> Result<bool> {
        let terms = self.terms;
        let arguments = self.arguments(frame, state, call);
        let wide = |index: usize| terms.resize_unsigned(arguments[index].term, 64);
        match name {
            "__impasse_choose_range" => {
                let number = |index: usize| terms.as_constant(arguments[index].term);
                let (Some(bits), Some(signed)) = (number(1), number(2)) else {
                    return Err(Stop::Unsupported("an input of unknown width".into()));
                };
                let input = self.fresh(bits as u8);
                let value = match signed {
                    0 => terms.zero_extend(input, 64),
                    _ => terms.sign_extend(input, 64),
                };
                self.set(state, call.destination, Val::of(value));
            }
            "__impasse_assume" => {
                let term = terms.resize_unsigned(arguments[0].term, 32);
                let holds = terms.differ(term, terms.constant(0, 32));
                return Ok(state.assume(terms, holds));
            }
            "malloc" | "__libc_malloc" => {
                let made = self.make(state, wide(0), false);
                self.set(state, call.destination, made);
            }
            "aligned_alloc" | "memalign" => {
                let made = self.make(state, wide(1), false);
                self.set(state, call.destination, made);
            }
            "calloc" | "__libc_calloc" => {
                let overflows = terms.test(Test::UnsignedMultiplyOverflow, wide(0), wide(1));
                if !state.assume(terms, terms.not(overflows)) {
                    return Ok(false);
                }
                let made = self.make(state, terms.multiply(wide(0), wide(1)), true);
                self.set(state, call.destination, made);
            }
            "realloc" | "__libc_realloc" => {
                self.expose(arguments[0]);
                let made = self.make(state, wide(1), false);
                self.set(state, call.destination, made);
            }
            "memcpy" | "memmove" => {
                let (to, from, count) = (arguments[0], arguments[1], arguments[2]);
                if !self.transfer(state, (to, count), Some(from), None) {
                    return Ok(false);
                }
                self.set(state, call.destination, to);
            }
            "memset" => {
                let (to, byte, count) = (arguments[0], arguments[1], arguments[2]);
                if !self.transfer(state, (to, count), None, Some(byte)) {
                    return Ok(false);
                }
                self.set(state, call.destination, to);
            }
            "__impasse_exit" | "__impasse_abort" | "__assert_fail" | "__impasse_failed"
            | "llvm.trap" | "llvm.ubsantrap" | "llvm.debugtrap" => return Ok(false),
            "free"
            | "__libc_free"
            | "__impasse_output"
            | "__impasse_atomic_begin"
            | "__impasse_atomic_end"
            | "__impasse_lock"
            | "__impasse_unlock" => {
                self.give_anything(state, call);
            }
            other => return Err(Stop::Unsupported(format!("the function {other}"))),
        }
        Ok(true)
    }
}
