//! What touched what, and when.

use ictus::probe::ContactEvent;
use ictus_scene::Instrument;

/// Most contacts that are kept one by one; the others are counted.
pub const MOST: usize = 100_000;

/// The contacts of a render.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The first of them, in order of their ends.
    pub listed: Vec<ContactEvent>,
    /// How many there were.
    pub count: u64,
    /// How many ended when the engine had no room to remember them.
    pub missed: u64,
}

impl Contacts {
    /// Takes what has ended since the last call.
    pub fn collect(&mut self, instrument: &mut Instrument) {
        let mut ended: Vec<ContactEvent> = instrument.drain_contacts().collect();
        // Parts of a scene that never meet are played one after the other, a block each.
        ended.sort_by_key(|contact| (contact.end, contact.contact, contact.start));
        for contact in ended {
            self.count += 1;
            if self.listed.len() < MOST {
                self.listed.push(contact);
            }
        }
        self.missed = instrument.engine().missed_contacts();
    }
}
