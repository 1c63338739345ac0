//! Calls: of the program's functions, of the library's, and of the machine's own.
//!
//! A function of the program is executed where it is called. Of a function of the library, what the
//! standards say is used in place of its code where a table has it ([`super::library`]).

use super::graph::{BlockId, Frame, Graph};
use super::library;
use super::obligation::Claim;
use super::state::{Base, Memory, Object, State, Val};
use super::{Call, Executor, Result};
use crate::concolic::environment::{is_stub, is_system_call};
use impasse_machine::base::fault::CodePlace;
use impasse_machine::machine::builtin::Builtin;
use impasse_program::instruction::{CallSite, CallSiteId, Callee, Instruction, Scalar, Slot};
use impasse_program::link::{FunctionId, Target};
use impasse_solver::{Term, Test};
use std::rc::Rc;

/// How deep calls may be inside of each other.
const DEEPEST: usize = 100;

impl<'s> Executor<'_, 's> {
    /// Executes a call. Whether the path continues.
    pub(super) fn call(
        &mut self,
        frame: &Frame<'s>,
        state: &mut State,
        site: CallSiteId,
        place: CodePlace,
    ) -> Result<bool> {
        let call = &frame.function.body.sites[site.0 as usize];
        if call.returns_twice {
            return Err(self.unsupported("setjmp", place));
        }
        let target = match call.callee {
            Callee::Symbol(_) => frame.function.targets[site.0 as usize],
            Callee::Address(operand) => {
                let callee = self.read_operand(frame, state, operand, Scalar::Pointer);
                match self.callee(callee) {
                    Some(target) => target,
                    None => {
                        let what =
                            "a call through a pointer of which several functions may be called";
                        return Err(self.unsupported(what, place));
                    }
                }
            }
        };
        match target {
            Target::Builtin(id) => {
                self.builtin(Builtin::from_id(id).name(), frame, state, (call, place))
            }
            Target::Function(id) => {
                let info = self.subject.system.program.info(id);
                let own = self.subject.system.program.is_users(info.unit);
                let unsafe_later =
                    library::is_out_of_order(&info.name) || library::is_waited_for(&info.name);
                if !own && unsafe_later {
                    return Err(self.unsupported(format!("a call of {}", info.name), place));
                }
                let asks = !own && is_stub(&info.name);
                if asks || is_system_call(&self.subject.system.program, id) {
                    return Err(self.unsupported("a question to the system", place));
                }
                match library::effect(&info.name).filter(|_| !own) {
                    Some(effect) => self.library(&effect, frame, state, (call, place)),
                    None => self.function(id, frame, state, (call, place)),
                }
            }
            Target::Missing(_) if self.subject.havoc_functions => {
                let arguments = self.arguments(frame, state, call);
                arguments.iter().for_each(|&one| self.share(one));
                self.give_anything(state, call);
                self.disturb_all(state);
                Ok(true)
            }
            _ => {
                let what = "a call of a function that is not defined";
                Err(self.unsupported(what, place))
            }
        }
    }

    /// A function that is defined nowhere may write anything to all that it can reach: here to all
    /// of memory. It frees nothing.
    fn disturb_all(&mut self, state: &mut State) {
        state.memory.forget_looks();
        self.forget_links(&mut state.memory);
        let globals = self.subject.system.program.globals().len() as u32;
        let globals = (0..=globals).map(Object::Global);
        let made: Vec<Object> = state.memory.made.iter().copied().collect();
        let summaries = (0..self.sites.len() as u32).map(Object::Summary);
        let all: Vec<Object> = globals.chain(made).chain(summaries).collect();
        for object in all {
            self.blur_object(state, object);
        }
    }

    fn callee(&mut self, address: Val) -> Option<Target> {
        let Base::Object(Object::Function(index)) = address.base else {
            return None;
        };
        let offset = self.offset(address.term, Object::Function(index));
        let program = &self.subject.system.program;
        match self.terms.as_constant(offset) {
            Some(0) => program.function_object(index),
            _ => None,
        }
    }

    pub(super) fn arguments(
        &mut self,
        frame: &Frame<'_>,
        state: &State,
        call: &CallSite,
    ) -> Vec<Val> {
        let each = call.arguments.iter();
        each.flat_map(|argument| self.words(frame, state, argument.value, argument.scalar))
            .collect()
    }

    /// Makes the results anything.
    pub(super) fn give_anything(&mut self, state: &mut State, call: &CallSite) {
        let mut slot = call.destination.0;
        for scalar in &call.results {
            for part in 0..scalar.words() {
                let width = (scalar.bits() - 64 * part).min(64) as u8;
                let value = self.anything(width);
                self.set(state, Slot(slot), value);
                slot += 1;
            }
        }
    }

    /// The address of `errno`, which any function may have changed.
    pub(super) fn errno(&mut self, state: &mut State) -> Val {
        let globals = self.subject.system.program.globals();
        // An object of its own, beyond those of the program.
        let object = Object::Global(globals.len() as u32);
        state.memory.blur(object);
        Val::at(self.start(object), Base::Object(object))
    }

    /// Executes a function with a body.
    fn function(
        &mut self,
        id: FunctionId,
        frame: &Frame<'s>,
        state: &mut State,
        (call, place): (&'s CallSite, CodePlace),
    ) -> Result<bool> {
        if self.calls.len() > DEEPEST {
            return Err(self.unsupported("calls that are more than 100 deep", place));
        }
        let info = self.subject.system.program.info(id);
        if info.signature.variadic {
            let what = format!("{}, a function with variable arguments", info.display_name);
            return Err(self.unsupported(what, place));
        }
        let before = self.objects.len() as u32;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument.by_value {
                Some((bytes, _)) => {
                    let size = self.number(bytes.into());
                    let copy = self.make(state, place, size, (false, true, false));
                    let from = self.read_operand(frame, state, argument.value, Scalar::Pointer);
                    if !self.transfer(state, (copy, size, place), Some(from), None)? {
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
        let Some(mut left) = self.enter(id, entered, place)? else {
            return Ok(false);
        };
        self.end_frame(&mut left.memory, before);
        let results = std::mem::replace(&mut left.slots, slots);
        *state = left;
        self.give_results(state, call, &results);
        Ok(true)
    }

    fn give_results(&mut self, state: &mut State, call: &CallSite, results: &[Option<Val>]) {
        let mut index = 0;
        for scalar in &call.results {
            for part in 0..scalar.words() {
                let width = (scalar.bits() - 64 * part).min(64) as u8;
                let value = match results.get(index).copied().flatten() {
                    Some(value) => value,
                    None => self.anything(width),
                };
                let term = self.terms.resize_unsigned(value.term, width);
                let slot = Slot(call.destination.0 + index as u32);
                self.set(state, slot, Val { term, ..value });
                index += 1;
            }
        }
    }

    /// The objects on the stack from this number on go.
    pub(super) fn end_frame(&mut self, memory: &mut Memory, from: u32) {
        let goes = |object: &Object| match object {
            Object::Made(n) => *n >= from && self.objects[*n as usize].on_stack,
            _ => false,
        };
        let gone: Vec<Object> = memory.made.iter().filter(|o| goes(o)).copied().collect();
        if !gone.is_empty() {
            memory.forget_looks();
        }
        for object in gone {
            let start = Val::of(self.start(object));
            self.link_freed(memory, start);
            memory.cells.retain(|&(other, _), _| other != object);
            memory.gone.insert(object, self.terms.boolean(true));
        }
    }

    /// Executes a function from its entry, where the slots are its arguments, to where it returns,
    /// where they are its results.
    pub(super) fn enter(
        &mut self,
        id: FunctionId,
        state: State,
        from: CodePlace,
    ) -> Result<Option<State>> {
        let known = self
            .recursions
            .iter()
            .rposition(|recursion| recursion.function == id);
        if let Some(known) = known {
            return Ok(self.call_again(known, state));
        }
        if self.calls.iter().any(|call| call.function == id) {
            return Err(self.unsupported("a recursion through a pointer to a function", from));
        }
        self.calls.push(Call { function: id, from });
        let left = match self.is_recursive(id) {
            true => self.recursion(id, state, from),
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
        let flow = self.run(&frame, (BlockId(0), false), &all, state)?;
        Ok(self.merge(flow.returns))
    }

    fn frame(&mut self, id: FunctionId) -> Result<Frame<'s>> {
        let program = &self.subject.system.program;
        let function = program.function(id);
        let graph = match self.graphs.get(&id) {
            Some(graph) => graph.clone(),
            None => {
                let Some(graph) = Graph::of(&function.body) else {
                    let place = CodePlace {
                        function: id,
                        position: impasse_program::instruction::Position(0),
                    };
                    let what = "a loop that is entered in two places (by goto)";
                    return Err(self.unsupported(what, place));
                };
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
    pub(super) fn is_recursive(&mut self, id: FunctionId) -> bool {
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
                if library::effect(&info.name).is_some() && !program.is_users(info.unit) {
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
        name: &'static str,
        frame: &Frame<'_>,
        state: &mut State,
        (call, place): (&CallSite, CodePlace),
    ) -> Result<bool> {
        let terms = self.terms;
        let arguments = self.arguments(frame, state, call);
        arguments.iter().for_each(|&one| self.share(one));
        let wide = |index: usize| terms.resize_unsigned(arguments[index].term, 64);
        let on_heap = |zeroed| (zeroed, false, true);
        let result = match name {
            "__impasse_choose_range" => {
                let number = |index: usize| terms.as_constant(arguments[index].term);
                let (Some(bits), Some(signed)) = (number(1), number(2)) else {
                    return Err(self.unsupported("an input of unknown width", place));
                };
                let input = self.fresh(bits.min(64) as u8);
                Val::of(match signed {
                    0 => terms.zero_extend(input, 64),
                    _ => terms.sign_extend(input, 64),
                })
            }
            "__impasse_choose_upper_half" => Val::of(self.fresh(64)),
            "__impasse_follows_inputs" => Val::of(terms.constant(0, 32)),
            "__impasse_assume" => {
                let term = terms.resize_unsigned(arguments[0].term, 32);
                let holds = terms.differ(term, terms.constant(0, 32));
                return Ok(state.assume(terms, holds));
            }
            "malloc" | "__libc_malloc" => self.make(state, place, wide(0), on_heap(false)),
            "aligned_alloc" | "memalign" => self.make(state, place, wide(1), on_heap(false)),
            "calloc" | "__libc_calloc" => self.allocate_zeroed(state, place, (wide(0), wide(1))),
            "realloc" | "__libc_realloc" => {
                self.free(state, arguments[0], place)?;
                self.make(state, place, wide(1), on_heap(false))
            }
            "free" | "__libc_free" => {
                self.free(state, arguments[0], place)?;
                return Ok(true);
            }
            "memcpy" | "memmove" => {
                let (to, from) = (arguments[0], arguments[1]);
                if !self.transfer(state, (to, wide(2), place), Some(from), None)? {
                    return Ok(false);
                }
                to
            }
            "memset" => {
                let (to, byte) = (arguments[0], arguments[1]);
                if !self.transfer(state, (to, wide(2), place), None, Some(byte))? {
                    return Ok(false);
                }
                to
            }
            "__impasse_exit" | "__impasse_abort" | "__assert_fail" | "__impasse_failed"
            | "llvm.trap" | "llvm.ubsantrap" | "llvm.debugtrap" => return Ok(false),
            "__impasse_asks" => {
                return Err(self.unsupported("a question to the system", place));
            }
            "__impasse_output"
            | "__impasse_atomic_begin"
            | "__impasse_atomic_end"
            | "__impasse_atomic_load_begin"
            | "__impasse_atomic_update_begin"
            | "__impasse_atomic_access_end" => {
                self.give_anything(state, call);
                return Ok(true);
            }
            _ => return Err(self.unsupported_builtin(name, place)),
        };
        if let [scalar] = &call.results[..] {
            let width = scalar.bits() as u8;
            let term = terms.resize_unsigned(result.term, width);
            self.set(state, call.destination, Val { term, ..result });
        }
        Ok(true)
    }

    /// `calloc`: null where the size does not fit.
    fn allocate_zeroed(
        &mut self,
        state: &mut State,
        place: CodePlace,
        (a, b): (Term, Term),
    ) -> Val {
        let terms = self.terms;
        let overflows = terms.test(Test::UnsignedMultiplyOverflow, a, b);
        let size = terms.choose(overflows, self.number(u64::MAX), terms.multiply(a, b));
        self.make(state, place, size, (true, false, true))
    }

    /// Frees what an address points to; null is allowed.
    fn free(&mut self, state: &mut State, address: Val, place: CodePlace) -> Result<()> {
        let terms = self.terms;
        let null = terms.equal(terms.resize_unsigned(address.term, 64), self.number(0));
        let objects = match self.held(address) {
            super::objects::Held::Null => return Ok(()),
            super::objects::Held::OneOf(objects, 0) => objects,
            _ => Default::default(),
        };
        let mut there = terms.boolean(!objects.is_empty());
        for object in self.meant(&state.memory, &objects) {
            let gone = self.is_gone(&state.memory, object, address.term);
            let one = terms.and(terms.not(gone), terms.boolean(self.is_on_heap(object)));
            there = terms.and(there, one);
        }
        self.oblige(state, terms.or(null, there), Claim::Free, place)?;
        self.link_freed(&mut state.memory, address);
        for &object in &objects {
            if !self.free_up_to(state, object, (address.term, null)) {
                self.lose(state, object, terms.not(null));
            }
        }
        state.memory.forget_looks();
        Ok(())
    }

    /// Makes an object one that may be gone, where a condition holds and the object is the only one
    /// that may be meant.
    pub(super) fn lose(&mut self, state: &mut State, object: Object, when: Term) {
        let terms = self.terms;
        let gone = match object {
            Object::Made(_) => terms.or(when, state.memory.gone(terms, object)),
            _ => terms.boolean(true),
        };
        if let Object::Summary(site) = object {
            state.memory.stirred.insert(site);
            for object in self.instances(state, site) {
                state.memory.gone.insert(object, terms.boolean(true));
            }
        }
        state.memory.gone.insert(object, gone);
    }

    fn is_on_heap(&self, object: Object) -> bool {
        match object {
            Object::Made(n) => !self.objects[n as usize].on_stack,
            Object::Summary(site) => {
                let mut of_site = self.objects.iter().filter(|made| made.site == site);
                of_site.all(|made| !made.on_stack)
            }
            _ => false,
        }
    }
}
