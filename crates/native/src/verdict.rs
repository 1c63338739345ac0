//! What a process shows of an error that was found on a path.

use crate::expected::{Stay, ends_at, fits_failure, is_at, is_one_of, other_accesses};
use crate::protocol::Failure;
use crate::states::{Arrival, At, Earlier, Exit, Hold, Process, Stop};
use crate::steering::Steering;
use impasse_diagnose::order::{Order, Place};
use impasse_report::rendering::thread_name;
use impasse_report::{ErrorReport, Spot};

/// What one execution shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The error occurs; how, in words.
    Occurs(String),
    /// It was not seen; what was seen instead.
    NotSeen(String),
    /// The path was left; where.
    Left(String),
    /// It may be seen better if a thread is held before one of these accesses; what is seen as it
    /// is, in words, if the error is.
    MayBeSeen(Vec<Earlier>, Option<String>),
}

/// How often each thread has its turn before a hang is one.
const TURNS: usize = 2_000;

const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;

/// Has the process follow an order of acts, and returns what it shows of an error.
pub fn shown<P: Process>(
    steering: &mut Steering<P>,
    order: &Order,
    error: &ErrorReport,
    how: How,
) -> Shown {
    steering.watch(error);
    let followed = steering.follow(&order.turns);
    let ends = match followed {
        Ok(()) => match error.kind.as_str() {
            "data-race" => race(steering, error, how.hold),
            "hang" => hang(steering, error),
            "exit-code" => steering
                .take_turns(100_000)
                .map(|_| Shown::NotSeen("the process did not end".into())),
            _ => at_last(steering, error, how.others_first),
        },
        Err(stop) => Err(stop),
    };
    ends.unwrap_or_else(|stop| stopped(stop, error))
}

/// How an execution differs from what the path says alone.
#[derive(Clone, Copy, Default)]
pub struct How {
    /// Which thread never does a certain operation.
    pub hold: Option<Hold>,
    /// Whether the others first do what they can once the path has ended: it says nothing of what
    /// no thread can observe.
    pub others_first: bool,
}

/// After the path, the thread that makes the error continues.
fn at_last<P: Process>(
    steering: &mut Steering<P>,
    error: &ErrorReport,
    others_first: bool,
) -> Result<Shown, Stop> {
    if others_first {
        for thread in steering.threads() {
            if thread != error.thread {
                steering.run_alone(thread)?;
            }
        }
    }
    if let Some(signal) = deadly(error) {
        steering.send(signal)?;
    }
    steering.run_into_error(error.thread)?;
    // What is wrong may show only at the end of the process.
    if error.kind == "memory-leak" {
        steering.take_turns(100_000)?;
    }
    Ok(Shown::NotSeen(
        "the process continues without an error".into(),
    ))
}

/// The signal that ends the program, if that is what an error says.
fn deadly(error: &ErrorReport) -> Option<u8> {
    let (_, rest) = error.message.split_once("signal ")?;
    rest.strip_suffix(" ends the program")?.parse().ok()
}

/// What it means that the process ended, or the path was left.
fn stopped(stop: Stop, error: &ErrorReport) -> Shown {
    let kind = error.kind.as_str();
    match stop {
        Stop::Left(why) => Shown::Left(why),
        Stop::Late => Shown::NotSeen("nothing was seen in the time there is".into()),
        Stop::Failure(_, failure, place) => {
            let place = place.as_ref();
            let said = format!("{}{}", failure_in_words(failure), at(place));
            match (fits_failure(kind, failure), is_at(error, place)) {
                (true, true) => Shown::Occurs(said),
                (true, false) => not_there(&said, error),
                (false, _) => Shown::NotSeen(format!("instead, {said}")),
            }
        }
        Stop::Exit(exit, place) => {
            let place = place.as_ref();
            let said = format!("{}{}", exit_in_words(exit), at(place));
            // Where the process is when such a signal comes decides nothing.
            let is_sent = |signal: u8| exit == Exit::Signal(signal.into());
            let is_there = ends_at(error, exit, place) || deadly(error).is_some_and(is_sent);
            match (fits_exit(kind, exit), is_there) {
                (true, true) => Shown::Occurs(said),
                (true, false) => not_there(&said, error),
                (false, _) => Shown::NotSeen(said),
            }
        }
    }
}

/// Something of the right kind was seen, but not where the error lies.
fn not_there(said: &str, error: &ErrorReport) -> Shown {
    let (file, line) = (short(&error.file), error.line);
    Shown::NotSeen(match error.kind.as_str() {
        "exit-code" => format!("{said}, but {}", error.message),
        _ => format!("{said}, but the error lies at {file}:{line}"),
    })
}

fn fits_exit(kind: &str, exit: Exit) -> bool {
    let signals: &[i32] = match kind {
        // It may be the path that lets a signal end the process.
        "abort" => {
            let is_fault = |signal| matches!(signal, SIGSEGV | SIGBUS | SIGFPE);
            return matches!(exit, Exit::Signal(signal) if !is_fault(signal));
        }
        "assertion" | "terminate" | "uncaught-exception" | "thread-misuse" | "mutex-misuse" => {
            &[SIGABRT]
        }
        "null-dereference" | "invalid-pointer" | "constant-write" | "use-after-free" => {
            &[SIGSEGV, SIGBUS]
        }
        // The C library may check it itself.
        "out-of-bounds" => &[SIGSEGV, SIGBUS, SIGABRT],
        "invalid-call" => &[SIGSEGV, SIGBUS, SIGILL, SIGABRT],
        "division-by-zero" => &[SIGFPE],
        "unreachable" => &[SIGILL, SIGTRAP],
        "exit-code" => return matches!(exit, Exit::Code(1..)),
        "stack-overflow" => return exit == Exit::StackOverflow,
        _ => &[],
    };
    matches!(exit, Exit::Signal(signal) if signals.contains(&signal))
}

/// The two accesses of a race are about to be made.
fn race<P: Process>(
    steering: &mut Steering<P>,
    error: &ErrorReport,
    hold: Option<Hold>,
) -> Result<Shown, Stop> {
    let place = Place {
        spot: Some(Spot {
            file: error.file.clone(),
            line: error.line,
        }),
        column: error.column,
    };
    let place = crate::places::full(&place);
    if let Some(hold) = hold {
        while steering.at(hold.thread).is_some() && !steering.is_held(hold.thread) {
            let before = steering.at(hold.thread).cloned();
            steering.advance(hold.thread)?;
            let now = steering.at(hold.thread);
            if now == before.as_ref() && !matches!(now, Some(At::Arrival(_))) {
                break;
            }
        }
    }
    let others = other_accesses(error);
    let name = thread_name(error.thread);
    let mut came = false;
    // There may be several accesses at one place, as of a pointer and of what it points to.
    for _ in 0..MOST_AT_PLACE {
        let Some(arrival) = steering.bring_to(error.thread, &place)? else {
            break;
        };
        came = true;
        if let Some(shown) = race_at(steering, &arrival, error, &others, hold)? {
            return Ok(shown);
        }
        steering.advance(error.thread)?;
    }
    Ok(Shown::NotSeen(match came {
        true => "the accesses are not made at the same time".into(),
        false => format!("{name} does not come to its access"),
    }))
}

/// How many accesses at the place of a race are looked at.
const MOST_AT_PLACE: usize = 100;

/// What an access shows that may be one of a race.
fn race_at<P: Process>(
    steering: &mut Steering<P>,
    arrival: &Arrival,
    error: &ErrorReport,
    others: &[Spot],
    hold: Option<Hold>,
) -> Result<Option<Shown>, Stop> {
    let mut earlier = steering.earlier(error.thread, &arrival.access);
    earlier.retain(|it| is_one_of(others, it.place.as_ref()));
    if arrival.direct && (earlier.is_empty() || hold.is_some()) {
        steering.bring_to_race(error.thread, &arrival.access, others)?;
    }
    if let Some((other, racing)) = steering.racing(error.thread, &arrival.access, others) {
        let (own, its) = (at(arrival.place.as_ref()), at(racing.place.as_ref()));
        let places = match own == its {
            true => own,
            false => format!("{own} and{its}"),
        };
        return Ok(Some(Shown::Occurs(format!(
            "{} and {} are about to access the same memory{places}",
            thread_name(error.thread),
            thread_name(other),
        ))));
    }
    // What has to be ordered, as in a library, is passed over.
    earlier.retain(|it| arrival.direct || !it.is_ordered);
    Ok((hold.is_none() && !earlier.is_empty()).then(|| {
        let text = unordered(error.thread, arrival, &earlier);
        Shown::MayBeSeen(earlier, text)
    }))
}

/// That nothing orders an access after an earlier one, if that is so.
fn unordered(thread: u32, arrival: &Arrival, earlier: &[Earlier]) -> Option<String> {
    let first = earlier.iter().find(|it| !it.is_ordered)?;
    Some(format!(
        "{} is about to access memory{}, and nothing orders that after what {} did to it{}",
        thread_name(thread),
        at(arrival.place.as_ref()),
        thread_name(first.hold.thread),
        at(first.place.as_ref())
    ))
}

/// No thread can continue, or the one that cannot end has not got further; and those that hang are
/// where the hang keeps them.
fn hang<P: Process>(steering: &mut Steering<P>, error: &ErrorReport) -> Result<Shown, Stop> {
    let all_blocked = steering.take_turns(TURNS)?;
    let stays = Stay::of(error);
    for stay in &stays {
        if let Some(left) = left(steering, stay, all_blocked)? {
            return Ok(Shown::NotSeen(left));
        }
    }
    if all_blocked {
        return Ok(Shown::Occurs(
            "no thread of the process can continue".into(),
        ));
    }
    let of_section = error.hang.as_ref().and_then(|hang| hang.section.as_ref());
    let (Some(_), [stay]) = (of_section, &stays[..]) else {
        return Ok(Shown::Occurs(format!(
            "the process has not ended after {TURNS} turns of each thread"
        )));
    };
    let name = thread_name(stay.thread);
    let after = format!("after {TURNS} turns of each thread");
    Ok(Shown::Occurs(match steering.at(stay.thread) {
        Some(At::Blocked { place, .. }) => {
            format!("{name} still waits{} {after}", at(place.as_ref()))
        }
        _ => format!("{name} is still in its loop {after}"),
    }))
}

/// That a thread leaves where a hang keeps it, in words, if it does. A call that only lets others
/// run shows neither that it stays nor that it leaves.
fn left<P: Process>(
    steering: &mut Steering<P>,
    stay: &Stay,
    all_blocked: bool,
) -> Result<Option<String>, Stop> {
    let mut yields_at = None;
    let mut stays = false;
    for _ in 0..if all_blocked { 1 } else { 100 } {
        let now = steering.at(stay.thread);
        let only_yields = matches!(now, Some(At::Arrival(it)) if it.access.only_yields());
        match (stay.contains(now), only_yields) {
            (true, _) => stays = true,
            (false, true) => yields_at = Some(elsewhere(stay.thread, now)),
            (false, false) => return Ok(Some(elsewhere(stay.thread, now))),
        }
        if !all_blocked {
            steering.take_turns(1)?;
        }
    }
    Ok(yields_at.filter(|_| !stays))
}

/// Where a thread is that is not where it hangs, in words.
fn elsewhere(thread: u32, now: Option<&At>) -> String {
    let name = thread_name(thread);
    match now {
        Some(At::Ended) => format!("{name} ends"),
        None => format!("{name} does not start"),
        Some(At::Blocked { place, .. }) => {
            let place = at(place.as_ref());
            format!("{name} waits{place}, which is not where it hangs")
        }
        Some(At::Arrival(arrival)) => format!("{name} continues{}", at(arrival.place.as_ref())),
        Some(At::Start | At::Silent) => format!("{name} continues"),
    }
}

fn at(place: Option<&Place>) -> String {
    match place.and_then(|place| place.spot.as_ref()) {
        Some(spot) => format!(" at {}:{}", short(&spot.file), spot.line),
        None => String::new(),
    }
}

/// A file as the user would name it.
fn short(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = std::path::Path::new(file);
    path.strip_prefix(&here)
        .unwrap_or(path)
        .display()
        .to_string()
}

fn failure_in_words(failure: Failure) -> &'static str {
    match failure {
        Failure::Assertion => "an assertion fails",
        Failure::OutOfBounds => "memory is accessed beyond its allocation",
        Failure::UseAfterFree => "freed memory is accessed",
        Failure::DoubleFree => "memory is freed a second time",
        Failure::InvalidFree => "something is freed that was not allocated in this way",
        Failure::Mutex => "a lock is misused",
        Failure::Thread => "a thread is joined that cannot be",
        Failure::UseAfterReturn => "a variable is accessed after its end",
        Failure::Overflow => "a result does not fit into its type",
        Failure::Division => "a division is by zero, or overflows",
        Failure::Shift => "a number is shifted too far",
        Failure::Unreachable => "a point is reached that must not be",
        Failure::Call => "a function is called with what it does not take",
        Failure::Leak => "nothing refers any more to memory that was allocated",
    }
}

fn exit_in_words(exit: Exit) -> String {
    let signal = match exit {
        Exit::Code(code) => return format!("the process ends with exit code {code}"),
        Exit::Signal(signal) => signal,
        Exit::StackOverflow => return "the stack overflows".into(),
    };
    let name = match signal {
        SIGILL => "SIGILL",
        SIGTRAP => "SIGTRAP",
        SIGABRT => "SIGABRT",
        SIGBUS => "SIGBUS",
        SIGFPE => "SIGFPE",
        SIGSEGV => "SIGSEGV",
        _ => return format!("signal {signal} kills the process"),
    };
    format!("{name} kills the process")
}

#[cfg(test)]
mod tests;
