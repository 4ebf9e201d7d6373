// Notes: which are down, and who holds them. A note ends when the last of those who hold it lets go.

/** Plays notes; on an instrument without a note map, keys strike its objects in turn. */
export class Notes {
  constructor(say, strength) {
    Object.assign(this, { say, strength, description: null });
    this.held = new Map(); // key by who holds it: a key of the computer, a pointer, a channel and key of MIDI
    this.pedals = new Set(); // who holds the pedal down
    this.lights = new Set(); // told when a key goes down or up
  }

  show(description) {
    this.held.clear();
    this.pedals.clear();
    this.description = description;
    this.playable = description.objects.map((object, index) => ({ object, index })).filter(({ object }) => object.playable);
  }

  /** Somebody presses a key; whoever holds one already lets go of it first. */
  press(who, key, velocity = this.strength()) {
    this.lift(who);
    if (!this.description || key < 0 || key > 127) return;
    this.held.set(who, key);
    this.tell(key, true);
    if (this.description.keys) this.say({ type: "note-on", key, velocity });
    else this.strike(key, velocity);
  }

  lift(who) {
    const key = this.held.get(who);
    if (!this.held.delete(who) || [...this.held.values()].includes(key)) return;
    this.tell(key, false);
    if (this.description.keys) this.say({ type: "note-off", key });
  }

  pedal(who, down) {
    const was = this.pedals.size > 0;
    if (down) this.pedals.add(who);
    else this.pedals.delete(who);
    if (was !== this.pedals.size > 0) this.say({ type: "sustain", on: !was });
  }

  /** Everybody lets go, or all those of whom this is true. */
  liftAll(of = () => true) {
    for (const who of [...this.held.keys()]) if (of(who)) this.lift(who);
    for (const who of [...this.pedals]) if (of(who)) this.pedal(who, false);
  }

  strike(key, velocity) {
    if (!this.playable.length) return;
    const { object, index } = this.playable[key % this.playable.length];
    const along = 0.08 + (0.84 * ((key * 7) % 25)) / 25;
    const at = object.kind === "modal" ? [key % object.points[0]] : [along, 0.08 + (0.84 * ((key * 11) % 25)) / 25];
    this.say({ type: "strike", object: index, at, velocity: 0.1 * 60 ** velocity });
  }

  tell(key, down) {
    for (const light of this.lights) light(key, down);
  }
}
