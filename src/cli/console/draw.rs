//! The screen as a picture of the board and the view. Everything is told by words and
//! marks; colour only repeats it.

use harness_core::knobs::value::Knob;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::board::{Board, OPERATIONS};
use super::keys::{Focus, Tab, View, values};
use super::walk::{Mark, Walk};
use crate::hosts::words;

/// The least that can be drawn on.
const LEAST: (u16, u16) = (60, 18);

/// Draws it.
pub(super) fn draw(frame: &mut Frame<'_>, board: &Board, view: &View, colours: bool) {
    let all = frame.area();
    if all.width < LEAST.0 || all.height < LEAST.1 {
        let (columns, rows) = LEAST;
        let text = format!(
            "harness console needs {columns} by {rows}; this is {} by {}. Make it larger, or q and --plain.",
            all.width, all.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), all);
        return;
    }
    let rows = [1, 5, 1].map(Constraint::Length).into_iter();
    let rows = rows.chain([Constraint::Fill(1)]).chain([1, 1, 1, 1].map(Constraint::Length));
    let [head, top, rule, middle, below, line, note, keys] = *Layout::vertical(rows).split(all)
    else {
        return;
    };
    let paint = Paint { board, view, colours };
    paint.head(frame, head);
    let [left, right] = halves(top);
    paint.knobs(frame, left);
    paint.presets(frame, right);
    frame.render_widget("─".repeat(usize::from(rule.width)), rule);
    let [left, right] = halves(middle);
    paint.list(frame, left);
    paint.walk(frame, right);
    frame.render_widget("─".repeat(usize::from(below.width)), below);
    paint.line(frame, line);
    paint.note(frame, note);
    paint.keys(frame, keys);
}

fn halves(area: Rect) -> [Rect; 2] {
    let [left, _, right] =
        Layout::horizontal([Constraint::Percentage(45), Constraint::Length(1), Constraint::Fill(1)])
            .areas(area);
    [left, right]
}

struct Paint<'a> {
    board: &'a Board,
    view: &'a View,
    colours: bool,
}

impl Paint<'_> {
    fn head(&self, frame: &mut Frame<'_>, area: Rect) {
        let tab = |tab: Tab, name: &str| {
            let open = self.view.tab == tab;
            let text = if open { format!("[{name}]") } else { format!(" {name} ") };
            Span::styled(text, if open { bold() } else { Style::new() })
        };
        let whose = format!("   {}", self.board.whose());
        let spans = vec![
            Span::styled("harness console  ", bold()),
            tab(Tab::Play, "Play"),
            tab(Tab::Recent, "Last calls"),
            Span::raw(whose),
        ];
        frame.render_widget(Line::from(spans), area);
    }

    fn knobs(&self, frame: &mut Frame<'_>, area: Rect) {
        let now = self.board.knobs();
        let (modes, policies) = values();
        let title = |focus: Focus, name: &str| self.title(focus, name);
        let mut lines = vec![Line::from(vec![
            title(Focus::Sandbox, &format!("{:<23}", "Sandbox")),
            title(Focus::Approval, "Approval"),
        ])];
        for row in 0..modes.len() {
            let mode = modes.get(row).map_or_else(String::new, |mode| {
                format!("{} {}", radio(*mode == now.sandbox), mode.word())
            });
            let policy = policies.get(row).map_or_else(String::new, |policy| {
                format!("{} {}", radio(*policy == now.approval), policy.word())
            });
            lines.push(Line::raw(format!("{mode:<23}{policy}")));
        }
        let set = if self.board.events().is_empty() { "in force" } else { "to try; w writes it" };
        lines.push(Line::raw(set));
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn presets(&self, frame: &mut Frame<'_>, area: Rect) {
        let current = self.board.preset();
        let mut lines = Vec::new();
        let room = usize::from(area.height).saturating_sub(2);
        let rows = self.board.rows();
        let first = (self.view.preset + 1).saturating_sub(room);
        let mut known = false;
        for (number, row) in rows.iter().enumerate() {
            let on = row.name == current;
            known |= on;
            if number < first || number >= first + room {
                continue;
            }
            let held = format!("{}, {}", row.sandbox.word(), row.approval.word());
            let text = format!("{} {:<18} {held}", radio(on), words::line(&row.name));
            lines.push(self.row(text, self.view.focus == Focus::Presets && number == self.view.preset));
        }
        // What no preset describes has a row of its own, and nothing can choose it.
        let custom = format!("{} custom (not one to choose)", radio(!known));
        lines.push(Line::raw(custom));
        let title = if rows.len() > room {
            format!("Presets ({} of {})", self.view.preset + 1, rows.len())
        } else {
            "Presets".to_owned()
        };
        lines.insert(0, Line::from(self.title(Focus::Presets, &title)));
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn list(&self, frame: &mut Frame<'_>, area: Rect) {
        let room = usize::from(area.height).saturating_sub(1);
        let (title, rows, at): (&str, Vec<String>, usize) = match self.view.tab {
            Tab::Play => {
                let rows = OPERATIONS.iter().map(|line| (*line).to_owned()).collect();
                ("Operations", rows, self.view.operation)
            }
            Tab::Recent => {
                let row = |call: &super::board::Recent| {
                    let time = call.when.split(' ').nth(1).unwrap_or(&call.when).to_owned();
                    format!("{time} {:<5}{}", call.answer, call.about)
                };
                ("Last calls", self.view.recent.iter().map(row).collect(), self.view.call)
            }
        };
        let mut lines = vec![Line::from(self.title(Focus::List, title))];
        if rows.is_empty() {
            lines.push(Line::raw("the journal holds no call yet"));
        }
        let first = (at + 1).saturating_sub(room);
        for (number, row) in rows.iter().enumerate().skip(first).take(room) {
            let here = number == at;
            let focused = here && self.view.focus == Focus::List;
            let mark = if here { '>' } else { ' ' };
            lines.push(self.row(format!("{mark} {row}"), focused));
        }
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn walk(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some(walk) = &self.view.walk else {
            let text = "Enter plays the call through the stations, one by one.";
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
            return;
        };
        let mut lines = vec![Line::styled(walk.about.clone(), bold())];
        for (number, station) in walk.stations.iter().enumerate() {
            let here = if number == self.view.step { '>' } else { ' ' };
            if number > self.view.step {
                lines.push(Line::raw(format!("  {}. {}", number + 1, station.name)));
                continue;
            }
            let text = format!("{here} {}. {:<13}{}", number + 1, station.name, station.mark.word());
            lines.push(Line::styled(text, self.colour(station.mark)));
        }
        lines.push(self.end(walk));
        let above = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
        let [stations, details] =
            Layout::vertical([Constraint::Length(above), Constraint::Fill(1)]).areas(area);
        frame.render_widget(Paragraph::new(lines), stations);
        let Some(station) = walk.stations.get(self.view.step) else { return };
        let more = std::iter::once(&station.says).chain(&station.more);
        let more: Vec<Line<'_>> = more.map(|text| Line::raw(text.as_str())).collect();
        let more = Paragraph::new(more).wrap(Wrap { trim: false });
        frame.render_widget(more.scroll((self.view.scrolled, 0)), details);
    }

    /// The end of a walk, once it is reached.
    fn end(&self, walk: &Walk) -> Line<'static> {
        if self.view.step + 1 < walk.stations.len() {
            return Line::raw("  Right or Space: the next station");
        }
        let mark = match walk.verdict {
            "deny" => Mark::Stopped,
            "ask" => Mark::Asks,
            _ => Mark::Passed,
        };
        let text = format!("  verdict {}; the client is told {}", walk.verdict, walk.answer);
        Line::styled(text, self.colour(mark).add_modifier(Modifier::BOLD))
    }

    fn line(&self, frame: &mut Frame<'_>, area: Rect) {
        let focused = self.view.focus == Focus::Line;
        let room = usize::from(area.width).saturating_sub(14);
        let shown: Vec<char> = self.view.line.chars().collect();
        let shown: String = shown.iter().skip(shown.len().saturating_sub(room)).collect();
        let text = Line::from(vec![
            self.title(Focus::Line, "Command"),
            Span::raw(" > "),
            Span::raw(shown),
            Span::raw(if focused { "_" } else { "" }),
        ]);
        frame.render_widget(text, area);
    }

    fn note(&self, frame: &mut Frame<'_>, area: Rect) {
        let text = if self.view.asking {
            let knobs = self.board.knobs();
            let (sandbox, approval) = (knobs.sandbox.word(), knobs.approval.word());
            format!("Write {sandbox} and {approval} for {}? y or n", self.board.whose())
        } else {
            self.view.note.clone()
        };
        frame.render_widget(Line::styled(text, bold()), area);
    }

    fn keys(&self, frame: &mut Frame<'_>, area: Rect) {
        let text = if self.view.focus == Focus::Line {
            "Tab where  Enter play  Right next  Esc clear  F2 last calls  Ctrl-C quit"
        } else {
            "Tab where  Arrows  Enter play/choose  y/n person  t last calls  w write  q quit"
        };
        frame.render_widget(text, area);
    }

    fn title(&self, focus: Focus, name: &str) -> Span<'static> {
        let here = self.view.focus == focus;
        let text = if here { name.to_uppercase() } else { name.to_owned() };
        Span::styled(text, if here { bold() } else { Style::new().add_modifier(Modifier::UNDERLINED) })
    }

    fn row(&self, text: String, focused: bool) -> Line<'static> {
        let style = if focused { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        Line::styled(text, style)
    }

    fn colour(&self, mark: Mark) -> Style {
        if !self.colours {
            return Style::new();
        }
        Style::new().fg(match mark {
            Mark::Passed => Color::Green,
            Mark::Asks => Color::Yellow,
            Mark::Stopped => Color::Red,
            Mark::Skipped => Color::DarkGray,
        })
    }
}

const fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

const fn radio(on: bool) -> &'static str {
    if on { "(*)" } else { "( )" }
}
