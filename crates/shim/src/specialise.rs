//! Removes bounded recursion: functions that recurse are copied for the constants that control
//! them, and in each copy the branches that these constants decide are cut.
//!
//! A copy is made for each function and each list of arguments known beforehand; constants are
//! propagated through every function from which a recursive one can be reached, and branches are
//! cut in the recursive ones only, so that the rest of the program keeps its branches. If the
//! calls between the copies still form a cycle, or the chain does not end, the recursion is
//! not bounded and is reported with its chain.

use crate::diagnostic::Diagnostic;
use crate::escapes;
use crate::eval;
use crate::instance::{Instance, InstanceId, reachable, successors};
use crate::ir::{Arg, Function, FunctionId, Mode, Op, Operand, Pc, Place, Program, Type, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A chain of calls may not be longer than this.
const MAX_CHAIN: u32 = 400;
/// Functions may not be copied more often than this in all.
const MAX_COPIES: usize = 20_000;

/// Returns the instances of a program, without recursion; the first one is `main`. Fails with a
/// diagnostic for each function that recurs without bound, and for each exception that nothing
/// catches.
pub fn specialise(program: &Program) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    let shape = Shape::new(program);
    let mut work = Specialiser {
        program,
        shape,
        instances: Vec::new(),
        known: HashMap::new(),
        endless: BTreeMap::new(),
    };
    let main = &program.functions[program.main.index()];
    work.instance(program.main, vec![None; main.params.len()], None);
    let mut next = 0;
    while next < work.instances.len() {
        work.elaborate(InstanceId(next as u32));
        next += 1;
    }
    let order = work.order();
    let cyclic = !work.endless.is_empty();
    while escapes::summarise(&mut work.instances, &order) && cyclic {}
    let mut mistakes: Vec<Diagnostic> = work.endless.into_values().collect();
    mistakes.extend(escapes::uncaught(program, &work.instances));
    if mistakes.is_empty() {
        Ok(work.instances)
    } else {
        Err(mistakes)
    }
}

/// Which functions recurse, and which lead to one that does.
struct Shape {
    recursive: Vec<bool>,
    leads: Vec<bool>,
}

impl Shape {
    fn new(program: &Program) -> Shape {
        let count = program.functions.len();
        let mut reach = vec![vec![false; count]; count];
        for (from, function) in program.functions.iter().enumerate() {
            for instr in &function.code {
                if let Op::Par(calls, _) = &instr.op {
                    calls
                        .iter()
                        .for_each(|call| reach[from][call.function.index()] = true);
                }
            }
        }
        for via in 0..count {
            let row = reach[via].clone();
            for line in reach.iter_mut().filter(|line| line[via]) {
                line.iter_mut().zip(&row).for_each(|(a, b)| *a |= b);
            }
        }
        let recursive: Vec<bool> = (0..count).map(|f| reach[f][f]).collect();
        let leads = (0..count)
            .map(|f| recursive[f] || (0..count).any(|g| reach[f][g] && recursive[g]))
            .collect();
        Shape { recursive, leads }
    }
}

struct Specialiser<'a> {
    program: &'a Program,
    shape: Shape,
    instances: Vec<Instance>,
    known: HashMap<(FunctionId, Vec<Option<i64>>), InstanceId>,
    /// What was found to recur without bounds.
    endless: BTreeMap<FunctionId, Diagnostic>,
}

/// Numbers known at a point of a function, by variable.
type Known = Vec<Option<i64>>;

impl Specialiser<'_> {
    fn instance(
        &mut self,
        source: FunctionId,
        constants: Vec<Option<i64>>,
        caller: Option<(InstanceId, Pc)>,
    ) -> InstanceId {
        let constants = if self.shape.leads[source.index()] {
            constants
        } else {
            vec![None; constants.len()]
        };
        let key = (source, constants);
        if let Some(found) = self.known.get(&key) {
            return *found;
        }
        let id = InstanceId(self.instances.len() as u32);
        let depth = caller.map_or(0, |(caller, _)| self.instances[caller.index()].depth + 1);
        self.instances.push(Instance {
            function: Rc::new(self.program.functions[source.index()].clone()),
            source,
            constants: key.1.clone(),
            calls: BTreeMap::new(),
            trivial: false,
            escapes: BTreeSet::new(),
            elaborated: false,
            caller,
            depth,
        });
        self.known.insert(key, id);
        if self.instances.len() > MAX_COPIES {
            let how = format!("is not at its end after {MAX_COPIES} copies");
            self.endless(id, caller, &how);
        }
        if depth > MAX_CHAIN {
            let how = format!("is not at its end after {MAX_CHAIN} calls");
            self.endless(id, caller, &how);
        }
        id
    }

    /// Notes that a function, called from there, recurs without bounds.
    fn endless(&mut self, id: InstanceId, call: Option<(InstanceId, Pc)>, how: &str) {
        let source = self.instances[id.index()].source;
        if !self.endless.contains_key(&source) {
            let diagnostic = self.unbounded(id, call, how);
            self.endless.insert(source, diagnostic);
        }
    }

    fn elaborate(&mut self, id: InstanceId) {
        if self
            .endless
            .contains_key(&self.instances[id.index()].source)
        {
            return;
        }
        let instance = &self.instances[id.index()];
        let (source, mut function) = (instance.source, (*instance.function).clone());
        let known = if self.shape.leads[source.index()] {
            let known = propagate(&function, &instance.constants);
            if self.shape.recursive[source.index()] {
                cut(&mut function, &known);
            }
            Some(known)
        } else {
            None
        };
        let reached = reachable(&function);
        for (pc, instr) in function.code.iter().enumerate() {
            let Op::Par(calls, _) = &instr.op else {
                continue;
            };
            if !reached[pc] {
                continue;
            }
            let env = known.as_ref().and_then(|known| known[pc].as_ref());
            let mut callees = Vec::new();
            for call in calls {
                let constants = call.args.iter().map(|arg| match arg {
                    Arg::Scalar(operand) => value(&function, env?, operand),
                    _ => None,
                });
                callees.push(self.instance(call.function, constants.collect(), Some((id, pc))));
            }
            self.instances[id.index()].calls.insert(pc, callees);
        }
        let instance = &mut self.instances[id.index()];
        instance.function = Rc::new(function);
        instance.elaborated = true;
    }

    /// Instances, those that are called before those that call, as far as there is no cycle.
    fn order(&mut self) -> Vec<InstanceId> {
        let mut state = vec![0u8; self.instances.len()];
        let mut order = Vec::new();
        let mut stack = vec![(InstanceId(0), false)];
        while let Some((id, done)) = stack.pop() {
            if done {
                state[id.index()] = 2;
                order.push(id);
                continue;
            }
            if state[id.index()] == 2 {
                continue;
            }
            state[id.index()] = 1;
            stack.push((id, true));
            let calls = self.instances[id.index()].calls.iter();
            let calls: Vec<(Pc, InstanceId)> = calls
                .flat_map(|(pc, callees)| callees.iter().map(|callee| (*pc, *callee)))
                .collect();
            for (pc, callee) in calls {
                match state[callee.index()] {
                    1 => self.endless(callee, Some((id, pc)), "calls itself without an end"),
                    0 => stack.push((callee, false)),
                    _ => {}
                }
            }
        }
        order
    }

    fn unbounded(&self, id: InstanceId, call: Option<(InstanceId, Pc)>, how: &str) -> Diagnostic {
        let mut chain = vec![id];
        let mut next = call;
        while let Some((caller, _)) = next {
            chain.push(caller);
            next = self.instances[caller.index()].caller;
        }
        chain.reverse();
        let names: Vec<String> = chain.iter().map(|id| self.describe(*id)).collect();
        let shown = if names.len() > 7 {
            format!(
                "{} → … → {}",
                names[..4].join(" → "),
                names[names.len() - 2..].join(" → ")
            )
        } else {
            names.join(" → ")
        };
        let function = &self.instances[id.index()].function;
        let call = call.map(|(caller, pc)| {
            (
                self.instances[caller.index()].function.code[pc].span,
                "the call",
            )
        });
        let message = format!(
            "the recursion of `{}` is not bounded: it {how}",
            function.name
        );
        let mut error = match call {
            Some((span, label)) => {
                Diagnostic::error(span, message, label).and(function.span, "the function")
            }
            None => Diagnostic::error(function.span, message, "the function"),
        };
        for span in self.open_conditions(&chain).into_iter().take(3) {
            error = error.and(span, "not known before the program runs");
        }
        error.help(format!(
            "calls: {shown}. Recursion must end by conditions on arguments that are known before the program runs, \
             such as `f(n - 1)` called first with a number"
        ))
    }

    fn describe(&self, id: InstanceId) -> String {
        let instance = &self.instances[id.index()];
        let args: Vec<String> = instance
            .constants
            .iter()
            .enumerate()
            .filter_map(|(index, value)| {
                value.map(|value| format!("{} = {value}", instance.function.vars[index].name))
            })
            .collect();
        if args.is_empty() {
            instance.function.name.clone()
        } else {
            format!("{}({})", instance.function.name, args.join(", "))
        }
    }

    /// Conditions of recursive functions on the chain that the constants do not decide.
    fn open_conditions(&self, chain: &[InstanceId]) -> BTreeSet<crate::source::Span> {
        let recursive = chain
            .iter()
            .filter(|id| self.shape.recursive[self.instances[id.index()].source.index()]);
        let mut spans = BTreeSet::new();
        for id in recursive {
            let instance = &self.instances[id.index()];
            let mut function = (*instance.function).clone();
            cut(
                &mut function,
                &propagate(&instance.function, &instance.constants),
            );
            let open = function
                .code
                .iter()
                .filter(|instr| matches!(instr.op, Op::If(..)));
            spans.extend(open.map(|instr| instr.span));
        }
        spans
    }
}

/// Decided branches become jumps or nothing.
fn cut(function: &mut Function, known: &[Option<Known>]) {
    for (pc, env) in known.iter().enumerate() {
        let (Some(env), Some(instr)) = (env, function.code.get(pc)) else {
            continue;
        };
        if let Op::If(operand, when, target) = &instr.op
            && let Some(value) = value(function, env, operand)
        {
            let taken = (value != 0) == *when;
            function.code[pc].op = if taken {
                Op::Goto(*target)
            } else {
                Op::Label("decided")
            };
        }
    }
}

/// The numbers known before each instruction; none where control does not come.
fn propagate(function: &Function, constants: &[Option<i64>]) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = vec![None; function.code.len() + 1];
    let start = function.vars.iter().enumerate().map(|(index, var)| {
        match (&var.ty, function.params.get(index)) {
            (_, Some(Mode::Value)) => constants[index],
            (Type::Scalar(scalar), None) if !var.channel => Some(scalar.default_value()),
            _ => None,
        }
    });
    known[0] = Some(start.collect());
    let mut work = vec![0];
    while let Some(pc) = work.pop() {
        let (Some(mut env), true) = (known[pc].clone(), pc < function.code.len()) else {
            continue;
        };
        let decided = match &function.code[pc].op {
            Op::If(operand, when, target) => value(function, &env, operand).map(|value| {
                if (value != 0) == *when {
                    *target
                } else {
                    pc + 1
                }
            }),
            _ => None,
        };
        step(function, &mut env, &function.code[pc].op);
        let targets = decided.map_or_else(|| successors(function, pc), |target| vec![target]);
        for target in targets {
            if merge(&mut known[target], &env) {
                work.push(target);
            }
        }
    }
    known
}

/// Keeps what both agree on; whether anything changed.
fn merge(into: &mut Option<Known>, from: &Known) -> bool {
    let Some(into) = into else {
        *into = Some(from.clone());
        return true;
    };
    let mut changed = false;
    for (a, b) in into.iter_mut().zip(from) {
        if a.is_some() && a != b {
            *a = None;
            changed = true;
        }
    }
    changed
}

fn simple(place: &Place, function: &Function) -> Option<VarId> {
    let var = &function.vars[place.var.index()];
    (matches!(var.ty, Type::Scalar(_)) && !var.channel).then_some(place.var)
}

fn value(function: &Function, env: &Known, operand: &Operand) -> Option<i64> {
    match operand {
        Operand::Const(value) => Some(*value),
        Operand::Place(place) => env[simple(place, function)?.index()],
    }
}

/// Returns the variables that an instruction may change without computing their value.
pub fn clobbered(op: &Op) -> Vec<VarId> {
    match op {
        Op::Receive(var) => vec![*var],
        Op::Par(calls, _) => calls
            .iter()
            .flat_map(|call| {
                let args = call.args.iter().filter_map(|arg| match arg {
                    Arg::Reference(place) => Some(place.var),
                    Arg::Channel(var) => Some(*var),
                    _ => None,
                });
                args.chain(call.result.iter().map(|place| place.var))
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn step(function: &Function, env: &mut Known, op: &Op) {
    for var in clobbered(op) {
        env[var.index()] = None;
    }
    let Some(target) = op.target() else { return };
    let result = match op {
        Op::Move(_, operand, store) => value(function, env, operand).map(|v| (v, *store)),
        Op::Unary(_, op, a, ty, store) => {
            value(function, env, a).map(|a| (eval::unary(*op, *ty, a), *store))
        }
        Op::Binary(_, op, a, b, ty, store) => value(function, env, a)
            .zip(value(function, env, b))
            .and_then(|(a, b)| eval::binary(*op, *ty, a, b))
            .map(|v| (v, *store)),
        _ => None,
    };
    if let Some(var) = simple(target, function) {
        env[var.index()] = result.map(|(value, store)| store.wrap(value));
    }
}
