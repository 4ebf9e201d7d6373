//! What JavaScript calls. Texts and packets lie in the module's memory; a call tells how long they are, another one where.
//!
//! A call never fails by itself: whatever is wrong with a message is a reply. One engine per instance of the module.
// Exporting a function by name counts as unsafe, since another one could have the same name. Nothing else here is.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::host::Host;

#[derive(Default)]
struct Instance {
    host: Host,
    /// What the page writes into.
    room: Vec<u8>,
    /// The reply that was taken last.
    reply: String,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

fn with<T>(act: impl FnOnce(&mut Instance) -> T) -> T {
    INSTANCE.with_borrow_mut(act)
}

/// Makes room for so many bytes and tells where it is. Memory may move with it: views of it are to be made anew.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    with(|instance| {
        instance.room.clear();
        instance.room.resize(bytes, 0);
        instance.room.as_mut_ptr()
    })
}

/// Takes the list of scenes that was written into the room.
#[unsafe(no_mangle)]
pub extern "C" fn shelve() {
    with(|Instance { host, room, .. }| host.shelve(&String::from_utf8_lossy(room)));
}

/// Hears the message that was written into the room.
#[unsafe(no_mangle)]
pub extern "C" fn hear() {
    with(|Instance { host, room, .. }| host.hear(room));
}

/// Hears the sound that was written into the room, samples of 32 bits: it drives what is played.
#[unsafe(no_mangle)]
pub extern "C" fn listen() {
    with(|Instance { host, room, .. }| {
        if let Some(playing) = host.playing() {
            let (samples, _) = room.as_chunks::<4>();
            playing.hear(samples.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        }
    });
}

/// Takes the next reply; how many bytes it has, 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> usize {
    with(|instance| {
        instance.reply = instance.host.next_reply().unwrap_or_default();
        instance.reply.len()
    })
}

/// Where the reply is.
#[unsafe(no_mangle)]
pub extern "C" fn reply_at() -> *const u8 {
    with(|instance| instance.reply.as_ptr())
}

/// Answers the question that was written into the room; how many bytes the answer has. It lies where a reply does.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    with(|instance| {
        instance.reply = instance.host.ask(&instance.room);
        instance.reply.len()
    })
}

/// Builds a scene that waits for silence: for pages that do not sound.
#[unsafe(no_mangle)]
pub extern "C" fn settle() {
    with(|instance| instance.host.settle());
}

/// Makes the next block of audio; how many bytes its packet has, 0 if there is nothing to play. A scene that was chosen is built in it once the
/// one before has faded out: replies may have come.
#[unsafe(no_mangle)]
pub extern "C" fn audio() -> usize {
    with(|instance| instance.host.audio().map_or(0, <[u8]>::len))
}

/// Where the packet of audio is.
#[unsafe(no_mangle)]
pub extern "C" fn audio_at() -> *const u8 {
    with(|instance| instance.host.playing().map_or(std::ptr::null(), |playing| playing.audio().as_ptr()))
}

/// Tells how long in s a block took to be made.
#[unsafe(no_mangle)]
pub extern "C" fn took(seconds: f64) {
    with(|instance| {
        if let Some(playing) = instance.host.playing() {
            playing.took(seconds);
        }
    });
}

/// Makes a state if it is time for one; how many bytes its packet has, 0 if it is not.
#[unsafe(no_mangle)]
pub extern "C" fn state() -> usize {
    with(|instance| {
        let made = instance.host.playing().and_then(|playing| playing.make_state().then_some(playing));
        made.map_or(0, |playing| playing.state().len())
    })
}

/// Where the packet of the state is.
#[unsafe(no_mangle)]
pub extern "C" fn state_at() -> *const u8 {
    with(|instance| instance.host.playing().map_or(std::ptr::null(), |playing| playing.state().as_ptr()))
}
