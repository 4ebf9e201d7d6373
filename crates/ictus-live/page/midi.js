// MIDI: notes, pitch wheel, pedal, and the controllers that the instrument's controls name; and MPE, in which every note has a channel of its own,
// with bend, pressure and slide (MIDI Polyphonic Expression 1.1).

const BEND = 48; // semitones of a member's wheel, unless it says otherwise
const SLIDE = 74; // the controller of the slide
// What a channel says of its notes beside their bend, and the controllers of the controls that may follow: the first that there is does.
const FOLLOWS = { pressure: [11, 71, 1], slide: [SLIDE] };
const [HIGH, LOW, ENTRY] = [101, 100, 6]; // controllers that choose and set a registered parameter
const MEMBERS = 6; // the registered parameter that says how many members a zone has

/** What comes from one input. */
class Input {
  constructor(id, notes, tools) {
    Object.assign(this, { id, notes, ...tools });
    this.channels = Array.from({ length: 16 }, () => ({ bend: 0, range: BEND, said: new Map(), registered: [127, 127] }));
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
      // What a member has said before its note is meant for it.
      if (isMember && this.channels[channel].bend) this.bend(channel);
      if (isMember) for (const [what, position] of this.channels[channel].said) this.express([first], what, position);
    } else if (kind === 0x80 || kind === 0x90) {
      this.notes.lift(who);
    } else if (kind === 0xe0) {
      this.channels[channel].bend = (((second << 7) | first) - 8192) / 8192;
      if (isMember) this.bend(channel);
      else this.sayBend({ type: "bend", amount: this.channels[channel].bend }, this.channels[channel].bend);
    } else if (kind === 0xd0 && isMember) {
      this.expressAll(channel, "pressure", first / 127);
    } else if (kind === 0xa0) {
      this.express([first], "pressure", second / 127);
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
    else if (isMember && number === SLIDE) this.expressAll(channel, "slide", value / 127);
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
    for (const key of this.keys(channel)) this.sayBend({ type: "bend-note", key, semitones: Math.max(-60, Math.min(60, range * bend)) }, bend);
  }

  sayBend(message, bend) {
    if (bend !== 0) this.bends();
    this.say(message);
  }

  /** What a channel says of its notes: of those that sound, and of the next. */
  expressAll(channel, what, position) {
    this.channels[channel].said.set(what, position);
    this.express(this.keys(channel), what, position);
  }

  /** Turns the control that follows the pressure or the slide, for some keys. */
  express(keys, what, position) {
    const found = this.control(FOLLOWS[what]);
    if (!found) return;
    const { control, value } = found(position);
    for (const key of keys) this.say({ type: "express", key, control, value });
  }
}

/**
 * Listens to every MIDI instrument, whenever it is connected; resolves to their names. `control` finds the control of some controllers as a
 * function from a position to its number and value; `bends` is called when a note is to be bent.
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
