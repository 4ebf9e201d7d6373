//! A turn of the commonest cluster: a mass, what it strikes, and the one contact between them.
//!
//! The same step as in `turn.rs`, to the bit. But what changes from sample to sample is kept at hand instead of in the engine's lists, so
//! that the processor has room to work on the object while it waits for the force.

use fearless_simd::Simd;

use crate::cluster::TURN;
use crate::contact::Motion;
use crate::link::Link;
use crate::objects::{At, Body, BodyId, Mass, Plain, Strikable, Struck, Support, Terminal};
use crate::probe::Ear;
use crate::room::MassAnd;
use crate::turn::Turn;
use crate::wide::{Wide, wide};

impl Turn<'_> {
    /// Runs the turn of a mass and one other object.
    pub(crate) fn run_pair<B: Strikable>(self, wide: Wide, mass: &mut Mass, other: &mut B) {
        let Some(index) = self.sole_link() else {
            wide!(wide, simd => self.run(simd, &mut MassAnd { mass, other }));
            return;
        };
        let link = &self.links[index];
        let at = if is_mass(&link.from) { link.to.support } else { link.from.support };
        let ear = self.sole_ear().unwrap_or(at);
        if let Some(struck) = other.struck(&at, &ear) {
            wide!(wide, simd => self.strike(simd, index, mass, struck));
            return;
        }
        let struck = Plain::new(other, &at, &ear);
        wide!(wide, simd => self.strike(simd, index, mass, struck));
    }

    /// Where the one pickup listens, if there is but one, to the displacement of the object.
    fn sole_ear(&self) -> Option<Support> {
        let &[index] = &self.cluster.listeners[..] else { return None };
        match &self.listeners[index].ear {
            Ear::Displacement(at) if !is_mass(at) => Some(at.support),
            _ => None,
        }
    }

    /// The contact of a mass and an object, if there is no other and nobody asks for more than sound.
    fn sole_link(&self) -> Option<usize> {
        let &[index] = &self.cluster.singles[..] else { return None };
        let link = &self.links[index];
        let plain = self.cluster.islands.is_empty() && self.cluster.rough.is_empty() && !self.keeps_account;
        let quiet = !self.cluster.listeners.iter().any(|ear| matches!(self.listeners[*ear].ear, Ear::Force(_)));
        let pair = is_mass(&link.from) != is_mass(&link.to);
        let driven = self.cluster.drives.iter().all(|drive| is_mass(&self.drives[*drive].at));
        (plain && quiet && pair && driven).then_some(index)
    }

    #[inline(always)]
    fn strike<S: Simd>(mut self, simd: S, index: usize, struck_by: &mut Mass, mut other: impl Struck) {
        let sole_ear = self.sole_ear().map(|_| self.cluster.listeners[0] * TURN);
        let Self { cluster, rate, links, drives, listeners, heard, ledger, contacts, start, samples, .. } = &mut self;
        let rate = *rate;
        let link = &mut links[index];
        let contact = link.contact;
        // Seen from the mass: if the contact runs the other way, up is down.
        let sign = if is_mass(&link.from) { 1.0 } else { -1.0 };
        let mut mass = struck_by.seen(sign);
        let Link { gap, admittance, slips_at, .. } = *link;
        let Link { mut previous, mut now, mut last_step, mut force, mut touching, .. } = *link;
        let mut acts = link.acts();
        let mut grip = contact.grip(&link.state, admittance, rate);
        let (mut lost, mut peak) = (0.0, 0.0_f64);
        let last = samples.saturating_sub(1);
        // What most have, at hand: one steady force on the mass, one pickup on the object.
        let weight = match &cluster.drives[..] {
            &[index] if is_mass(&drives[index].at) && drives[index].signal.is_none() => {
                drives[index].force = drives[index].level;
                Some(sign * drives[index].level)
            }
            _ => None,
        };
        for sample in 0..*samples {
            mass.free_step(simd);
            let other_next = other.step(simd, sample != last);
            if let Some(weight) = weight {
                mass.push(&Support::Whole, weight);
            } else {
                for &index in &cluster.drives {
                    let drive = &mut drives[index];
                    drive.force = drive.next_force();
                    if drive.force != 0.0 {
                        mass.push(&Support::Whole, sign * drive.force);
                    }
                }
            }

            let next = mass.read(&Support::Whole, At::Next) - sign * other_next;
            let motion = Motion { previous, now, free_step: (next - gap) - previous, admittance, rate };
            let mut step = motion.free_step;
            force = 0.0;
            let meets = acts && !contact.rests(&link.state, &motion);
            let solved = meets.then(|| {
                contact.advance_touching(
                    &mut link.state,
                    &motion,
                    &mut grip,
                    #[inline(always)]
                    |part| other.meanwhile(simd, part),
                )
            });
            other.catch_up(simd);
            if let Some(solved) = solved {
                (step, force) = (solved.step, solved.force);
                contact.foresee(&mut grip, previous + step);
                if force != 0.0 {
                    mass.push(&Support::Whole, -force);
                    other.push(simd, sign * force);
                    let carried = other.prescribed_step();
                    if carried != 0.0 {
                        ledger.supply(-sign * 0.5 * force * carried);
                    }
                }
                let mut dissipated = solved.dissipated;
                if force > slips_at {
                    acts = false;
                    link.slipped = true;
                    dissipated += link.let_go();
                }
                lost += dissipated;
            }
            last_step = now - previous;
            (previous, now) = (now, previous + step);

            if touching && force != 0.0 {
                peak = if force > peak { force } else { peak };
            } else if (touching || force != 0.0) && contact.is_one_sided() {
                contacts.press(index, std::mem::take(&mut peak));
                (link.previous, link.now, link.last_step, link.force) = (previous, now, last_step, force);
                contacts.turn_over(index, link, rate, *start + sample as u64);
                touching = link.touching;
            }
            if let Some(first) = sole_ear {
                heard[first + sample] = other.hear();
            } else {
                for &index in &cluster.listeners {
                    let read = |at: &Terminal, when| match is_mass(at) {
                        true => sign * mass.read(&Support::Whole, when),
                        false => other.read(&at.support, when),
                    };
                    heard[index * TURN + sample] = match &listeners[index].ear {
                        Ear::Displacement(at) => read(at, At::Next),
                        Ear::Velocity(at) => (read(at, At::Next) - read(at, At::Now)) * rate,
                        Ear::Force(_) => 0.0,
                    };
                }
            }
            mass.advance();
            other.advance();
        }
        *struck_by = mass.seen(sign);
        other.leave();
        ledger.dissipated.add(lost);
        if touching {
            contacts.press(index, peak);
        }
        (link.previous, link.now, link.last_step, link.force) = (previous, now, last_step, force);
        self.mix_down();
    }
}

fn is_mass(at: &Terminal) -> bool {
    matches!(at.body, BodyId::Mass(_))
}
