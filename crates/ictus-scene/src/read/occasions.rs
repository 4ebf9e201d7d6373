//! When an event happens: at a time or at several, repeated, by a pattern, by chance.

use super::draft::Draft;
use super::events::MOST_EVENTS;
use super::fields::Fields;
use super::quantity::shortened;
use super::variation;
use crate::scene::Action;
use crate::tree::Table;
use crate::units::TIME;

/// Longest pattern, in steps.
const MOST_STEPS: usize = 10_000;

/// What of an amount a digit of a pattern stands for: `9` is all of it.
const NINTHS: f64 = 9.0;

/// One of the times at which an event happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Occasion {
    /// Its number among those of the event, those counted that chance or the pattern left out.
    pub(super) repeat: usize,
    /// When, in s.
    pub(super) time: f64,
    /// Factor of how hard it plays.
    pub(super) strength: f64,
}

/// Whether an event can happen several times: its numbers are then drawn anew each time.
pub(super) fn repeats(event: &Table) -> bool {
    ["times", "pattern"].iter().any(|key| event.get(key).is_some())
        || event.get("time").is_some_and(|time| time.list().is_some())
}

impl Draft<'_> {
    /// The times at which the event of this number happens.
    pub(super) fn occasions(&self, fields: &Fields<'_>, number: usize) -> Option<Vec<Occasion>> {
        let pattern = self.pattern(fields)?;
        let times = match (fields.has("every"), fields.has("times")) {
            (false, false) if pattern.is_none() => 1,
            (true, true) => fields.whole("times")?,
            (true, false) if pattern.is_some() => 1,
            (has_every, _) => {
                let (key, message, help) = match (has_every, &pattern) {
                    (false, Some(_)) => {
                        ("pattern", "`pattern` needs `every`", "the length of a step: every = \"0.5 beats\"")
                    }
                    (true, _) => ("every", "`every` and `times` go together", "as in every = \"0.25 s\", times = 8"),
                    (false, None) => {
                        ("times", "`every` and `times` go together", "as in every = \"0.25 s\", times = 8")
                    }
                };
                fields.report(key, message, help);
                return None;
            }
        };
        let pattern = pattern.unwrap_or_else(|| vec![Some(1.0)]);
        let starts = fields.node("time")?.list().map_or(1, <[_]>::len);
        let steps = times.saturating_mul(pattern.len());
        let count = steps.saturating_mul(starts);
        if count > MOST_EVENTS.max(MOST_STEPS) {
            self.report(fields.span, format!("this event happens {count} times; at most {MOST_EVENTS}"), "");
            return None;
        }
        let mut chance = fields.has("probability").then(|| self.context.generator(&format!("events.{number} chance")));
        let mut all = Vec::new();
        let varies = |key: &str| repeats(fields.table) && fields.node(key).is_some_and(variation::varies);
        let (time_varies, every_varies, chance_varies) = (varies("time"), varies("every"), varies("probability"));
        let fixed_every = fields.number_or("every", 0.0);
        let fixed_chance = fields.number_or("probability", 1.0);
        for start in 0..starts {
            let fixed_time = self.start_of(fields, start)?;
            // Equal steps are multiples, so that rounding does not add up; drawn steps are added one by one.
            let mut drawn_steps = 0.0;
            for step in 0..steps {
                let repeat = start * steps + step;
                self.context.repeat.set(repeats(fields.table).then_some(repeat));
                let time = if time_varies { self.start_of(fields, start)? } else { fixed_time };
                let later = if every_varies { drawn_steps } else { fixed_every * step as f64 };
                if every_varies {
                    drawn_steps += fields.number("every")?;
                }
                let probability = if chance_varies { fields.number("probability")? } else { fixed_chance };
                let is_played = chance.as_mut().is_none_or(|chance| chance.unit() < probability);
                if let Some(strength) = pattern[step % pattern.len()]
                    && is_played
                {
                    all.push(Occasion { repeat, time: time + later, strength });
                }
            }
        }
        Some(all)
    }

    /// A time of `time`, by its place in the list if it is one.
    fn start_of(&self, fields: &Fields<'_>, index: usize) -> Option<f64> {
        let node = fields.node("time")?;
        let node = match node.list() {
            Some(list) => list.get(index)?,
            None => node,
        };
        fields.quantity_of(node, "time", &TIME)
    }

    /// The steps of `pattern`, each with its strength; nothing for a rest. The outer `None` has been reported.
    #[expect(clippy::option_option, reason = "no pattern is not a wrong one")]
    fn pattern(&self, fields: &Fields<'_>) -> Option<Option<Vec<Option<f64>>>> {
        let Some(text) = fields.text("pattern") else { return Some(None) };
        let mut steps = Vec::new();
        for letter in text.chars().filter(|letter| !letter.is_whitespace() && *letter != '|') {
            steps.push(match letter {
                'x' | 'X' => Some(1.0),
                '.' | '-' | '_' | '0' => None,
                '1'..='9' => letter.to_digit(10).map(|digit| f64::from(digit) / NINTHS),
                other => {
                    let message = format!("`{other}` is no step of a pattern");
                    fields.report(
                        "pattern",
                        message,
                        "x plays, 1 to 9 play softer, . rests; spaces and | are left out",
                    );
                    return None;
                }
            });
        }
        if !(1..=MOST_STEPS).contains(&steps.len()) {
            let message =
                format!("a pattern has from 1 to {MOST_STEPS} steps, \"{}\" has {}", shortened(text), steps.len());
            fields.report("pattern", message, "as in pattern = \"x..5 x.x.\"");
            return None;
        }
        Some(Some(steps))
    }
}

/// An action that plays less hard by a factor.
pub(super) fn weaker(action: &Action, strength: f64) -> Action {
    let mut action = action.clone();
    if strength != 1.0 {
        match &mut action {
            Action::Play { amount, .. } => *amount *= strength,
            Action::NoteOn { velocity, .. } => *velocity *= strength,
            _ => {}
        }
    }
    action
}
