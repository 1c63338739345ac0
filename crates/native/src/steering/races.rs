//! Accesses of other threads that race with one.

use super::{MOST_BETWEEN, Steering};
use crate::expected::is_one_of;
use crate::protocol::Access;
use crate::states::{Arrival, At, Earlier, Hold, Process, Stop};
use impasse_report::Spot;

impl<P: Process> Steering<P> {
    /// Runs the other threads, one after the other, until one is before an access that races
    /// with this one, at one of some places or, if there are none, anywhere.
    pub fn bring_to_race(
        &mut self,
        thread: u32,
        access: &Access,
        spots: &[Spot],
    ) -> Result<(), Stop> {
        for other in self.threads().into_iter().filter(|&it| it != thread) {
            for _ in 0..MOST_BETWEEN {
                if self.racing(thread, access, spots).is_some() {
                    return Ok(());
                }
                self.advance(other)?;
                if self.is_held(other)
                    || !matches!(self.threads[&other].at, At::Start | At::Arrival(_))
                {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Returns a thread that is before an access which races with this one of another thread, at
    /// one of some places or, if there are none, anywhere.
    pub fn racing(&self, thread: u32, access: &Access, spots: &[Spot]) -> Option<(u32, &Arrival)> {
        let mut others = self.threads.iter().filter(|&(&other, _)| other != thread);
        others.find_map(|(&other, of)| match &of.at {
            At::Arrival(arrival)
                if arrival.access.races_with(access)
                    && is_one_of(spots, arrival.place.as_ref()) =>
            {
                Some((other, arrival))
            }
            _ => None,
        })
    }

    /// Returns the accesses of other threads that race with this one unless they are ordered, the
    /// newest first.
    pub fn earlier(&mut self, thread: u32, access: &Access) -> Vec<Earlier> {
        let clocks = &mut self.clocks;
        let others = self.done.iter().rev().filter(|it| it.thread != thread);
        let racing = others.filter(|it| it.access.races_with(access));
        racing
            .map(|it| Earlier {
                hold: Hold {
                    thread: it.thread,
                    after: it.after,
                },
                place: it.place.clone(),
                is_ordered: clocks.is_before(it.thread, it.time, thread),
            })
            .collect()
    }
}
