//! Draws the screen of a simulation.

use super::{Pane, Screen};
use crate::sim::session::Session;
use crate::sim::words;
use impasse_diagnose::Ending;
use impasse_report::Frame as StackFrame;
use impasse_report::rendering::thread_name;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Borders, Paragraph};
use std::collections::BTreeMap;
use std::env;

/// Narrower screens have one column.
const TWO_COLUMNS: u16 = 100;
/// Lines of the trace that are shown.
const TRACE: u16 = 8;

/// The colours of threads, by number, again from the first after the last.
const THREADS: [Color; 6] = [
    Color::Cyan,
    Color::Green,
    Color::Yellow,
    Color::Magenta,
    Color::Blue,
    Color::Red,
];

/// The style of what a thread does.
fn of_thread(thread: u32) -> Style {
    match env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        true => Style::new(),
        false => Style::new().fg(THREADS[thread as usize % THREADS.len()]),
    }
}

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

impl Screen {
    /// Draws the screen.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, session: &mut Session<'_>) {
        let rows = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(6),
            Constraint::Length(TRACE + 1),
            Constraint::Length(1),
        ]);
        let [title, body, trace, status] = rows.areas(frame.area());
        let stacks = session.stacks();
        self.draw_title(frame, title, session);
        let (source, choices, state) = match body.width < TWO_COLUMNS {
            false => {
                let [left, right] =
                    Layout::horizontal([Constraint::Percentage(52), Constraint::Percentage(48)])
                        .areas(body);
                let [choices, state] =
                    Layout::vertical([Constraint::Percentage(40), Constraint::Percentage(60)])
                        .areas(right);
                (left, choices, state)
            }
            true => {
                let parts = [40, 30, 30].map(Constraint::Percentage);
                let [source, choices, state] = Layout::vertical(parts).areas(body);
                (source, choices, state)
            }
        };
        draw_source(frame, source, session, &stacks);
        self.draw_choices(frame, choices, session, &stacks);
        self.draw_pane(frame, state, session, &stacks);
        draw_trace(frame, trace, session);
        self.draw_status(frame, status);
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect, session: &Session<'_>) {
        let (made, ahead) = session.lengths();
        let moves = match ahead {
            0 => format!("after {made} moves"),
            _ => format!("after {made} of {} moves", made + ahead),
        };
        let line = Line::from(vec![
            Span::styled(" impasse sim  ", BOLD),
            Span::raw(format!("{moves}, looking at ")),
            Span::styled(thread_name(session.thread()), of_thread(session.thread())),
        ]);
        frame.render_widget(line.style(SELECTED), area);
    }

    fn draw_choices(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        session: &mut Session<'_>,
        stacks: &BTreeMap<u32, Vec<StackFrame>>,
    ) {
        let block = framed("what can happen next");
        let mut lines: Vec<Line<'_>> = Vec::new();
        if let Some(ending) = session.ending() {
            let style = match ending {
                Ending::Regular => BOLD,
                Ending::Error(_) => BOLD.fg(Color::Red),
            };
            let texts = words::ending(ending).into_iter();
            lines.extend(texts.map(|text| Line::styled(text, style)));
        } else {
            let choices = session.choices();
            let texts = words::choices(&choices);
            for (index, text) in texts.into_iter().enumerate() {
                let thread = choices.get(index).and_then(|it| it.step.thread);
                let style = thread.map_or(BOLD, of_thread);
                let line = Line::styled(text, style);
                lines.push(match index == self.selected {
                    true => line.patch_style(SELECTED),
                    false => line,
                });
            }
            let movers: Vec<_> = choices.iter().map(|it| it.step.thread).collect();
            for &thread in stacks.keys().filter(|it| !movers.contains(&Some(**it))) {
                let why = session.why_stuck(thread);
                let why = why.unwrap_or_else(|| "cannot move".into());
                let place = words::position(&stacks[&thread]);
                let text = format!("     -  {:<9} {place:<20} {why}", thread_name(thread));
                lines.push(Line::styled(text, DIM));
            }
        }
        let scrolled = (self.selected as u16).saturating_sub(area.height.saturating_sub(3));
        let shown = Paragraph::new(lines).block(block).scroll((scrolled, 0));
        frame.render_widget(shown, area);
    }

    fn draw_pane(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        session: &mut Session<'_>,
        stacks: &BTreeMap<u32, Vec<StackFrame>>,
    ) {
        let (heading, text) = match self.pane {
            Pane::Stack => {
                let thread = session.thread();
                let stack = stacks.get(&thread).map_or(&[][..], Vec::as_slice);
                let heading = format!("stack of {}", thread_name(thread));
                (heading, words::stack(stack).join("\n"))
            }
            Pane::Memory => {
                let present = session.present().unwrap_or_default();
                ("memory".into(), words::memory(&present, "").join("\n"))
            }
            Pane::Locks => ("locks".into(), session.locks().unwrap_or_default()),
            Pane::Output => ("output".into(), self.output.clone()),
        };
        let shown = Paragraph::new(text).block(framed(&heading));
        frame.render_widget(shown.scroll((self.scrolled, 0)), area);
    }

    fn draw_status(&self, frame: &mut Frame<'_>, area: Rect) {
        let line = match (&self.typed, self.failure.is_empty()) {
            (Some(typed), _) => Line::raw(format!(":{typed}_")),
            (None, false) => Line::styled(format!(" {}", self.failure), BOLD.fg(Color::Red)),
            (None, true) => Line::styled(
                " Enter: move   ←→: back, again   s n f c: step, next, finish, continue   \
                 Tab: pane   : command   ? help   q quit",
                DIM,
            ),
        };
        frame.render_widget(line, area);
    }
}

fn framed(title: &str) -> Block<'static> {
    let title = Span::styled(format!(" {title} "), BOLD);
    Block::new().borders(Borders::TOP).title(title)
}

/// The source around the place of the thread that the user looks at, with the places of all.
fn draw_source(
    frame: &mut Frame<'_>,
    area: Rect,
    session: &mut Session<'_>,
    stacks: &BTreeMap<u32, Vec<StackFrame>>,
) {
    let thread = session.thread();
    let own = |stack: &Vec<StackFrame>| {
        let frame = stack.iter().find(|it| !it.library && it.line > 0)?;
        Some((frame.file.clone(), frame.line))
    };
    let places: BTreeMap<u32, (String, u32)> = stacks
        .iter()
        .filter_map(|(thread, stack)| Some((*thread, own(stack)?)))
        .collect();
    // A thread that starts is in no code of the program yet.
    let next = session.choices().into_iter().find(|it| it.step.line > 0);
    let next = next.map(|it| (it.step.file, it.step.line));
    let looked_at = places.get(&thread).or(places.values().next()).cloned();
    let looked_at = looked_at.or(next);
    let Some((file, line)) = looked_at else {
        return frame.render_widget(Paragraph::new("").block(framed("source")), area);
    };
    let lines = session.source(&file).to_vec();
    let height = area.height.saturating_sub(1) as usize;
    let first = (line as usize).saturating_sub(height / 2 + 1);
    let first = first.min(lines.len().saturating_sub(height));
    let mut text = Text::default();
    for (index, source) in lines.iter().enumerate().skip(first).take(height) {
        let number = index as u32 + 1;
        let here = places
            .iter()
            .filter(|(_, place)| **place == (file.clone(), number));
        let here: Vec<u32> = here.map(|(thread, _)| *thread).collect();
        let names: Vec<String> = here.iter().map(|&it| short_name(it)).collect();
        let style = match here.contains(&thread) {
            true => of_thread(thread).add_modifier(Modifier::BOLD),
            false => here.first().map_or(Style::new(), |&it| of_thread(it)),
        };
        let marks = format!("{:>6} ", names.join(","));
        text.lines.push(Line::from(vec![
            Span::styled(marks, style),
            Span::styled(format!("{number:>4} "), DIM),
            Span::styled(source.clone(), style),
        ]));
    }
    frame.render_widget(Paragraph::new(text).block(framed(&file)), area);
}

fn short_name(thread: u32) -> String {
    match thread {
        0 => "main".into(),
        other => other.to_string(),
    }
}

fn draw_trace(frame: &mut Frame<'_>, area: Rect, session: &Session<'_>) {
    let steps = session.trace();
    let steps: Vec<_> = steps.iter().filter(|step| step.line > 0).collect();
    let first = steps.len().saturating_sub(TRACE as usize);
    let lines = steps[first..].iter();
    let lines = lines.map(|step| Line::styled(words::line(step), of_thread(step.thread)));
    let shown = Paragraph::new(lines.collect::<Vec<_>>()).block(framed("what has happened"));
    frame.render_widget(shown, area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_short_names() {
        assert_eq!(short_name(0), "main");
        assert_eq!(short_name(12), "12");
    }
}
