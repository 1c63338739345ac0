//! Verdicts, traces and reasons, rendered for people and for programs
