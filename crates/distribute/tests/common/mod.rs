//! Teams of threads.

use impasse_distribute::{Bounds, Endpoint, Monitor, Team, start};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// Returns what the first of so many workers returns.
pub fn with_team<T: Send + 'static>(
    workers: usize,
    bounds: &Bounds,
    work: impl Fn(&mut Endpoint<'_>) -> T + Send + Sync + 'static,
) -> T {
    let monitor = Monitor {
        cancel: Arc::clone(&bounds.cancel),
        live: Arc::clone(&bounds.live),
    };
    let team = Team::of_threads(NonZeroUsize::new(workers).unwrap());
    let running = start(team, monitor, move |endpoint, emit| {
        let found = work(endpoint);
        if endpoint.index() == 0 {
            emit(found);
        }
    });
    let found = running.next(Duration::from_secs(600)).unwrap().unwrap();
    assert!(running.finish(Duration::from_secs(600)));
    found
}
