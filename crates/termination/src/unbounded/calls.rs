//! Calls: of functions that are followed, of functions that may call themselves, of the library's
//! and of the machine's own.

use super::arithmetic::{Reading, readings};
use super::follow::{Follower, Result};
use super::state::{Frame, Object, Path, Value, constant};
use super::system::Exit;
use crate::affine::Affine;
use crate::termination::known_effect;
use impasse_machine::machine::builtin::Builtin;
use impasse_program::instruction::{CallSite, Comparison, Scalar, Slot};
use impasse_program::link::{FunctionId, Target};

/// How deep calls may be inside of each other.
const DEEPEST: usize = 40;

impl<'s> Follower<'_, 's> {
    pub(super) fn call(
        &mut self,
        from: usize,
        mut path: Path<'s>,
        (call, target): (&'s CallSite, Target),
    ) -> Result<Vec<Path<'s>>> {
        let program = &self.subject.system.program;
        if call.returns_twice
            || call
                .arguments
                .iter()
                .any(|argument| argument.by_value.is_some())
        {
            return Err("a call that is not followed over integers".into());
        }
        match target {
            Target::Builtin(id)
                if matches!(Builtin::from_id(id).name(), "malloc" | "__libc_malloc") =>
            {
                let size = constant(&path.read(call.arguments[0].value));
                let size = size.ok_or("memory of which the size is not constant")?;
                let frame = path.top();
                let object = Object::Heap(frame.id, frame.at);
                frame.at += 1;
                if path.objects.insert(object, size).is_some() {
                    return Err("an object that is allocated again and again".into());
                }
                path.assign(call.destination, Value::Address(object, 0));
                Ok(vec![path])
            }
            Target::Builtin(id)
                if matches!(Builtin::from_id(id).name(), "free" | "__libc_free") =>
            {
                // Later accesses find no object; there must be one now.
                let object = match path.read(call.arguments[0].value) {
                    Value::Address(object @ Object::Heap(..), 0) => object,
                    _ => return Err("memory that is freed, and not known".into()),
                };
                path.objects
                    .remove(&object)
                    .ok_or("memory that is freed twice")?;
                path.memory.retain(|part, _| part.0 != object);
                path.top().at += 1;
                Ok(vec![path])
            }
            Target::Builtin(id) => self.builtin(from, path, (Builtin::from_id(id).name(), call)),
            Target::Function(id) => {
                let info = program.info(id);
                let is_own = program.is_users(info.unit);
                if !is_own && let Some(returns) = known_effect(&info.name) {
                    path.is_over = true;
                    if !returns {
                        return Ok(self.over(path));
                    }
                    give_any(&mut path, call);
                    path.top().at += 1;
                    return Ok(vec![path]);
                }
                let is_followed = is_own || info.name.starts_with("__VERIFIER_");
                if !is_followed || info.signature.variadic || path.frames.len() > DEEPEST {
                    return Err(format!("a call of {}", info.display_name));
                }
                let function = program.function(id);
                let mut slots = vec![Value::Any; function.body.slots as usize];
                let mut next = 0;
                for argument in &call.arguments {
                    if argument.scalar.words() == 1
                        && let Some(slot) = slots.get_mut(next)
                    {
                        *slot = path.read(argument.value);
                    }
                    next += argument.scalar.words() as usize;
                }
                let frame = Frame {
                    id,
                    function,
                    at: 0,
                    slots,
                };
                if self.is_recursive(id) {
                    return self.call_recursive(from, path, (call, frame));
                }
                path.frames.push(frame);
                Ok(vec![path])
            }
            _ => Err("a call of a function that is not known".into()),
        }
    }

    /// A call of a function that may call itself.
    fn call_recursive(
        &mut self,
        from: usize,
        mut path: Path<'s>,
        (call, frame): (&CallSite, Frame<'s>),
    ) -> Result<Vec<Path<'s>>> {
        let is_local = |value: &Value| {
            matches!(
                value,
                Value::Address(Object::Local(..) | Object::Heap(..), _)
            )
        };
        if path
            .objects
            .keys()
            .any(|object| matches!(object, Object::Heap(..)))
        {
            return Err("a recursion where there is memory that malloc gave".into());
        }
        let globals = path.memory.iter();
        let mut globals = globals.filter(|(part, _)| matches!(part.0, Object::Global(_)));
        if frame.slots.iter().any(is_local) || globals.any(|(_, value)| is_local(value)) {
            return Err("a recursive function that gets the address of a local variable".into());
        }
        if self.mode.inputs.is_some() {
            return Err("a recursion".into());
        }
        let id = frame.id;
        let parameters = &self.subject.system.program.info(id).signature.parameters;
        if self.has_bounds(id) {
            self.system.recursive.insert(id, parameters.len());
        }
        let mut inside = path.clone();
        inside.frames = vec![frame];
        inside.entry.clear();
        inside.forget_frame(0);
        self.arrive(from, inside)?;
        path.memory
            .retain(|part, _| !matches!(part.0, Object::Global(_)));
        path.is_initial = false;
        give_any(&mut path, call);
        if let Some(rows) = self.summaries.get(&id) {
            let given = call.arguments.iter().map(|argument| &argument.scalar);
            if !given.eq(parameters) {
                return Err("a call that does not fit the function".into());
            }
            let mut values = Vec::new();
            for argument in &call.arguments {
                values.push(path.number(argument.value, argument.scalar, Reading::Either));
            }
            let result = path.fresh();
            values.push(result.clone());
            path.assign(call.destination, Value::Number(result));
            if !rows.iter().all(|row| path.assume(row.substitute(&values))) {
                return Ok(Vec::new());
            }
        }
        path.top().at += 1;
        Ok(vec![path])
    }

    /// Whether a function returns an integer, and its arguments are integers.
    fn has_bounds(&self, id: FunctionId) -> bool {
        let signature = &self.subject.system.program.info(id).signature;
        let is_integer = |scalar: &Scalar| matches!(scalar, Scalar::Integer(2..=64));
        let all = signature.results.iter().chain(&signature.parameters);
        signature.results.len() == 1 && !signature.variadic && all.into_iter().all(is_integer)
    }

    /// The arguments of a function at whose entry a path is.
    pub(super) fn arguments(&self, id: FunctionId, path: &Path<'s>) -> Vec<Value> {
        let count = self
            .subject
            .system
            .program
            .info(id)
            .signature
            .parameters
            .len();
        path.frames[0].slots[..count].to_vec()
    }

    /// A function returns with nothing left that called it.
    pub(super) fn leave(
        &mut self,
        from: usize,
        (id, values): (FunctionId, &[Value]),
        mut path: Path<'s>,
    ) {
        if !self.summaries.contains_key(&id) {
            return;
        }
        let signature = &self.subject.system.program.info(id).signature;
        let results = match (values, &signature.results[..]) {
            ([Value::Number(number)], [_]) => vec![number.clone()],
            ([Value::Bits(bits)], [scalar]) if self.has_bounds(id) => {
                let numbers = readings(*bits, scalar.bits(), Reading::Either);
                numbers.into_iter().map(Affine::constant).collect()
            }
            _ => vec![path.fresh()],
        };
        let arguments = std::mem::take(&mut path.entry).into_iter();
        let arguments = arguments.map(|value| match value {
            Value::Number(number) => number,
            _ => path.fresh(),
        });
        let arguments = arguments.collect();
        self.system.exits.push(Exit {
            function: id,
            from,
            arguments,
            results,
            known: path.known,
        });
    }

    /// Whether a function may call itself, directly or through others.
    fn is_recursive(&mut self, id: FunctionId) -> bool {
        if let Some(&known) = self.recursive.get(&id) {
            return known;
        }
        let program = &self.subject.system.program;
        let mut seen = Vec::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            for target in &program.function(next).targets {
                if let Target::Function(called) = *target
                    && !seen.contains(&called)
                    && program.is_users(program.info(called).unit)
                {
                    seen.push(called);
                    open.push(called);
                }
            }
        }
        let found = seen.contains(&id);
        self.recursive.insert(id, found);
        found
    }
}

pub(super) fn give_any(path: &mut Path<'_>, call: &CallSite) {
    let words: u32 = call.results.iter().map(|scalar| scalar.words()).sum();
    for slot in call.destination.0..call.destination.0 + words {
        path.assign(Slot(slot), Value::Any);
    }
}

impl<'s> Follower<'_, 's> {
    /// A path that does not continue.
    fn over(&self, mut path: Path<'s>) -> Vec<Path<'s>> {
        path.is_over = true;
        match self.mode.inputs {
            Some(_) => vec![path],
            None => Vec::new(),
        }
    }

    fn builtin(
        &self,
        from: usize,
        mut path: Path<'s>,
        (name, call): (&str, &CallSite),
    ) -> Result<Vec<Path<'s>>> {
        path.top().at += 1;
        let argument = |path: &Path<'s>, at: usize| path.read(call.arguments[at].value);
        match name {
            "__impasse_choose_range" => {
                let is_signed = argument(&path, 2) != Value::Bits(0);
                let input = match self.mode.inputs {
                    Some(inputs) if from == 0 => {
                        let bits = constant(&argument(&path, 1));
                        let given = inputs.get(path.read);
                        let given = given.filter(|&&(_, width)| bits == Some(width.into()));
                        let &(value, width) = given.ok_or("inputs that are not known")?;
                        path.read += 1;
                        let reading = match is_signed {
                            true => Reading::Signed,
                            false => Reading::Unsigned,
                        };
                        let number = readings(value, width.into(), reading).into_iter().next();
                        Affine::constant(number.ok_or("an input without a value")?)
                    }
                    _ => path.fresh(),
                };
                if !is_signed {
                    path.assume(input.times(&(-1).into()));
                }
                path.assign(call.destination, Value::Number(input));
                Ok(vec![path])
            }
            "__impasse_follows_inputs" => {
                path.assign(call.destination, Value::Bits(0));
                Ok(vec![path])
            }
            "__impasse_assume" => {
                let condition = path.number(
                    call.arguments[0].value,
                    call.arguments[0].scalar,
                    Reading::Either,
                );
                let (mut holds, fails) =
                    path.compared(Comparison::NotEqual, (&condition, &Affine::default()));
                holds.extend(fails.into_iter().flat_map(|path| self.over(path)));
                Ok(holds)
            }
            "__impasse_exit" | "__impasse_abort" | "__assert_fail" | "__impasse_failed"
            | "llvm.trap" => Ok(self.over(path)),
            _ => Err(format!("a call of {name}")),
        }
    }
}
