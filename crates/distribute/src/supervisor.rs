//! One thread of each process that hears from the other processes twice a second, whatever their
//! workers do: whether they are alive, what they have found, and whether to stop.

use crate::beat::{Beat, Figures};
use crate::failure::Watch;
use crate::flow::Endpoint;
use crate::worker::{number, reason};
use impasse_limits::Cancel;
use impasse_search::LiveStatistics;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a process says that it is alive.
const INTERVAL: Duration = Duration::from_millis(500);
/// How often a supervisor looks what was said and whether there is something to say.
const NAP: Duration = Duration::from_millis(20);
/// How long a process may say nothing.
const SILENCE: Duration = Duration::from_secs(6);
/// How long it may say nothing at first.
const FIRST_SILENCE: Duration = Duration::from_secs(20);
/// A supervisor that was away for longer has missed what others said meanwhile: the whole machine
/// may have slept.
const AWAY: Duration = Duration::from_secs(2);

/// What a supervisor reads and brings up to date.
#[derive(Clone)]
pub struct Monitor {
    /// Stops the workers of this process; when it is requested, those of all processes stop.
    pub cancel: Arc<Cancel>,
    /// What the workers of this process have found; in process 0, those of all processes.
    pub live: Arc<LiveStatistics>,
}

/// What a supervisor knows of another process.
struct Peer {
    heard: Instant,
    silence: Duration,
    figures: Figures,
}

/// Supervises until all workers of all processes have ended, or something fails.
pub(crate) fn supervise(mut endpoint: Endpoint<'_>, monitor: &Monitor, watch: &Watch) {
    let own = endpoint.process();
    let started = Instant::now();
    let peer = |_| Peer {
        heard: started,
        silence: FIRST_SILENCE,
        figures: Figures::default(),
    };
    let mut peers: Vec<Peer> = (0..endpoint.processes()).map(peer).collect();
    let (mut said, mut woken) = (None::<(Instant, bool, u8)>, started);
    while !watch.is_over() {
        endpoint.nap(NAP);
        let now = Instant::now();
        if now - woken > AWAY {
            peers.iter_mut().for_each(|peer| peer.heard = now);
        }
        woken = now;
        for beat in endpoint.beats() {
            let peer = &mut peers[beat.from as usize];
            (peer.heard, peer.silence) = (now, SILENCE);
            if own == 0 {
                peer.figures.replace(beat.figures, &monitor.live);
            }
            if let Some(reason) = reason(beat.stop) {
                monitor.cancel.cancel(reason);
            }
            if beat.ended {
                watch.end(beat.from as usize);
            }
        }
        if watch.is_finished() {
            watch.end(own);
        }
        let news = (watch.has_ended(own), number(monitor.cancel.reason()));
        let is_due =
            said.is_none_or(|(when, ended, stop)| now - when >= INTERVAL || (ended, stop) != news);
        if is_due {
            said = Some((now, news.0, news.1));
            let figures = Figures::of(&monitor.live);
            for to in (0..peers.len()).filter(|to| *to != own) {
                endpoint.beat(Beat {
                    from: own as u32,
                    to: to as u32,
                    ended: news.0,
                    stop: news.1,
                    figures,
                });
            }
        }
        let is_silent = |peer: &Peer| now - peer.heard > peer.silence;
        let others = peers.iter().enumerate().filter(|(n, _)| *n != own);
        let silent = others.filter(|(n, peer)| !watch.has_ended(*n) && is_silent(peer));
        for (process, _) in silent {
            watch.fail_process(process, "does not answer");
        }
    }
}
