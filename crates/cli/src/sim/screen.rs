//! The simulation on a terminal: what its user sees, and which keys do what.

mod draw;

use crate::sim::command::{Command, help};
use crate::sim::session::Session;
use anyhow::Result;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::{DefaultTerminal, restore, try_init};

/// What is shown beside the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pane {
    /// The stack of a thread.
    Stack,
    /// What is in memory.
    Memory,
    /// Who holds which locks, and who waits.
    Locks,
    /// What the last command has shown.
    Output,
}

impl Pane {
    fn next(self) -> Pane {
        match self {
            Pane::Stack => Pane::Memory,
            Pane::Memory => Pane::Locks,
            Pane::Locks | Pane::Output => Pane::Stack,
        }
    }
}

/// What the user has chosen to see.
struct Screen {
    /// The index of the selected choice.
    selected: usize,
    pane: Pane,
    /// The lines of that pane that are scrolled out.
    scrolled: u16,
    /// What the last command has shown.
    output: String,
    /// Why the last one failed.
    failure: String,
    /// The command that is being typed.
    typed: Option<String>,
}

/// Lets the user direct a simulation. Fails if the terminal cannot be used.
pub fn show(session: &mut Session<'_>) -> Result<()> {
    let mut terminal = try_init()?;
    let result = Screen::new().run(&mut terminal, session);
    restore();
    result
}

/// Gives the terminal back, if a simulation has it: the process is about to end.
pub fn leave() {
    restore();
}

impl Screen {
    fn new() -> Screen {
        Screen {
            selected: 0,
            pane: Pane::Stack,
            scrolled: 0,
            output: String::new(),
            failure: String::new(),
            typed: None,
        }
    }

    fn run(&mut self, terminal: &mut DefaultTerminal, session: &mut Session<'_>) -> Result<()> {
        while !session.is_over() {
            terminal.draw(|frame| self.draw(frame, session))?;
            if let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                self.press(key, session);
            }
        }
        Ok(())
    }

    /// Does what a key stands for.
    fn press(&mut self, key: KeyEvent, session: &mut Session<'_>) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            return self.execute(&Command::Quit, session);
        }
        if self.typed.is_some() {
            return self.type_key(key, session);
        }
        self.failure.clear();
        match key.code {
            KeyCode::Char(':') => self.typed = Some(String::new()),
            KeyCode::Char('q') => self.execute(&Command::Quit, session),
            KeyCode::Char('?' | 'h') => self.print(help_of_keys() + &help()),
            KeyCode::Up | KeyCode::Char('k') => self.selected = self.selected.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.selected += 1,
            KeyCode::Enter => self.execute(&Command::Choose(self.selected + 1), session),
            KeyCode::Left => self.execute(&Command::Back(1), session),
            KeyCode::Right => self.execute(&Command::Forward(1), session),
            KeyCode::Char('s') => self.execute(&Command::Step(None), session),
            KeyCode::Char('n') => self.execute(&Command::Next(None), session),
            KeyCode::Char('f') => self.execute(&Command::Finish(None), session),
            KeyCode::Char('c') => self.execute(&Command::Continue, session),
            KeyCode::Char(digit @ '0'..='9') => {
                let thread = digit as u32 - '0' as u32;
                self.execute(&Command::Thread(thread), session);
            }
            KeyCode::Tab => {
                self.pane = self.pane.next();
                self.scrolled = 0;
            }
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_add(5),
            KeyCode::PageUp => self.scrolled = self.scrolled.saturating_sub(5),
            KeyCode::Esc => self.pane = Pane::Stack,
            _ => {}
        }
        let last = session.choices().len().saturating_sub(1);
        self.selected = self.selected.min(last);
    }

    fn type_key(&mut self, key: KeyEvent, session: &mut Session<'_>) {
        let Some(typed) = &mut self.typed else {
            return;
        };
        match key.code {
            KeyCode::Char(character) => typed.push(character),
            KeyCode::Backspace if typed.is_empty() => self.typed = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Esc => self.typed = None,
            KeyCode::Enter => {
                let line = self.typed.take().unwrap_or_default();
                self.failure.clear();
                match Command::parse(&line) {
                    Ok(command) => self.execute_and_show(&command, session),
                    Err(error) => self.failure = format!("{error:#}"),
                }
            }
            _ => {}
        }
    }

    /// Executes a command of which the panes show the effect.
    fn execute(&mut self, command: &Command, session: &mut Session<'_>) {
        match session.execute(command) {
            Ok(text) => self.output = text,
            Err(error) => self.failure = format!("{error:#}"),
        }
        if matches!(
            command,
            Command::Choose(_) | Command::Back(_) | Command::Forward(_)
        ) {
            self.selected = 0;
        }
        if self.pane == Pane::Output {
            self.pane = Pane::Stack;
        }
        self.scrolled = 0;
    }

    /// Executes a command that was typed, and shows what it shows.
    fn execute_and_show(&mut self, command: &Command, session: &mut Session<'_>) {
        self.execute(command, session);
        let shows = matches!(
            command,
            Command::Break(_)
                | Command::Watch(_)
                | Command::Breakpoints
                | Command::Delete(_)
                | Command::Threads
                | Command::Stack(_)
                | Command::Memory(_)
                | Command::Print(_)
                | Command::Locks
                | Command::Trace
                | Command::Source(_)
                | Command::Help
        );
        if shows && self.failure.is_empty() {
            self.pane = Pane::Output;
        }
    }

    fn print(&mut self, text: String) {
        self.output = text;
        self.pane = Pane::Output;
        self.scrolled = 0;
    }
}

/// Returns what the keys do.
fn help_of_keys() -> String {
    let keys = [
        ("up, down, Enter", "select a move, and make it"),
        ("left, right", "take a move back, make it again"),
        ("s, n, f", "step, next, finish"),
        ("c", "continue"),
        ("0 to 9", "look at a thread"),
        ("Tab", "stack, memory, locks"),
        ("Page up, down", "scroll"),
        (":", "type a command"),
        ("q", "quit"),
    ];
    let lines = keys
        .iter()
        .map(|(key, what)| format!("  {key:<28}{what}\n"));
    lines.collect::<String>() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_follow_each_other() {
        assert_eq!(Pane::Stack.next().next().next(), Pane::Stack);
        assert_eq!(Pane::Output.next(), Pane::Stack);
    }
}
