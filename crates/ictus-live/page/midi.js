// MIDI: notes, pitch wheel, pedal, and the controllers that the instrument's controls name; and MPE, in which every note has a channel of its own,
// with bend, pressure and slide (MIDI Polyphonic Expression 1.1).

const BEND = 48; // semitones of a member's wheel, unless it says otherwise
const SLIDE = 74; // the controller of the slide
const PRESSED = [11, 71, 1]; // a control with one of these controllers follows the pressure, the first that there is
const [HIGH, LOW, ENTRY] = [101, 100, 6]; // controllers that choose and set a registered parameter
const MEMBERS = 6; // the registered parameter that says how many members a zone has

/** What comes from one input. */
class Input {
  constructor(id, notes, tools) {
    Object.assign(this, { id, notes, ...tools });
    this.channels = Array.from({ length: 16 }, () => ({ bend: 0, range: BEND, registered: [127, 127] }));
    this.zones = [0, 0]; // members of the lower zone, from channel 2 up, and of the upper one, from 15 down
  }

  isMember(channel) {
    return (channel >= 1 && channel <= this.zones[0]) || (channel <= 14 && channel >= 15 - this.zones[1]);
  }

  hear([status, first, second]) {
    const [kind, channel] = [status & 0xf0, status & 0x0f];
    if (status >= 0xf0) return;
    const who = `midi ${this.id} ${channel} ${first}`;
    const isMember = this.isMember(channel);
    if (kind === 0x90 && second > 0) {
      this.notes.press(who, first, second / 127);
      if (isMember && this.channels[channel].bend) this.bend(channel);
    } else if (kind === 0x80 || kind === 0x90) {
      this.notes.lift(who);
    } else if (kind === 0xe0) {
      this.channels[channel].bend = (((second << 7) | first) - 8192) / 8192;
      if (isMember) this.bend(channel);
      else this.say({ type: "bend", amount: this.channels[channel].bend });
    } else if (kind === 0xd0 && isMember) {
      this.express(channel, PRESSED, first / 127);
    } else if (kind === 0xb0) {
      this.turnOn(channel, first, second, isMember);
    }
  }

  turnOn(channel, number, value, isMember) {
    const { registered } = this.channels[channel];
    if (number === HIGH) registered[0] = value;
    else if (number === LOW) registered[1] = value;
    else if (number === ENTRY && registered[0] === 0) this.register(channel, registered[1], value);
    else if (number === 64) this.notes.pedal(`midi ${this.id} ${channel}`, value >= 64);
    else if (number === 120 || number === 123) this.notes.liftAll((who) => who.startsWith(`midi ${this.id} ${channel} `));
    else if (isMember && number === SLIDE) this.express(channel, [SLIDE], value / 127);
    else if (!isMember) this.turn(number, value / 127);
  }

  register(channel, parameter, value) {
    if (parameter === MEMBERS && (channel === 0 || channel === 15)) {
      this.zones[channel ? 1 : 0] = Math.min(15, value);
      this.tell(value ? `MPE: every note of ${value} channels bends by itself` : "MPE is off");
    } else if (parameter === 0) {
      // One member's range is that of all of its zone.
      for (const [n, one] of this.channels.entries()) if (n === channel || (this.isMember(n) && this.isMember(channel))) one.range = value;
    }
  }

  /** The keys that a channel holds. */
  keys(channel) {
    return [...this.notes.held].filter(([who]) => who.startsWith(`midi ${this.id} ${channel} `)).map(([, key]) => key);
  }

  bend(channel) {
    const { bend, range } = this.channels[channel];
    for (const key of this.keys(channel)) this.say({ type: "bend-note", key, semitones: Math.max(-60, Math.min(60, range * bend)) });
  }

  /** Turns the first control that has one of some controllers, for the notes of a channel. */
  express(channel, numbers, position) {
    const found = this.control(numbers);
    if (!found) return;
    const { control, value } = found(position);
    for (const key of this.keys(channel)) this.say({ type: "express", key, control, value });
  }
}

/**
 * Listens to every MIDI instrument, whenever it is connected; resolves to their names. `control` finds the control of some controllers as a
 * function from a position to its number and value.
 */
export async function listenToMidi(notes, tools) {
  if (!navigator.requestMIDIAccess) throw new Error("no MIDI");
  const access = await navigator.requestMIDIAccess();
  const inputs = new Map();
  const connect = () => {
    access.inputs.forEach((port, id) => {
      if (!inputs.has(id)) inputs.set(id, new Input(id, notes, tools));
      port.onmidimessage = ({ data }) => inputs.get(id).hear(data);
    });
    // What was pulled out holds nothing.
    for (const id of [...inputs.keys()]) if (!access.inputs.has(id)) inputs.delete(id);
    notes.liftAll((who) => who.startsWith("midi ") && !inputs.has(who.split(" ")[1]));
  };
  access.onstatechange = connect;
  connect();
  return [...access.inputs.values()].map((input) => input.name);
}
