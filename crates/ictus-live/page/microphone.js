// A microphone, or a line: what it hears drives the scene's signal `input`.

const AS_IT_IS = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export class Microphone {
  /** `button` turns it on and off; `tell` says what happens. */
  constructor(button, link, tell) {
    Object.assign(this, { button, link, tell, stream: null, hears: false });
    button.addEventListener("click", () => (this.stream ? this.end() : this.begin()));
  }

  show({ hears }) {
    this.hears = hears;
    if (this.stream && !hears) this.end();
  }

  async begin() {
    if (!this.link.isOpen) return;
    if (!this.hears) return this.tell("Nothing in this scene hears: give it a signal called “input”, as in [exciters.input] kind = \"signal\"");
    // Pages that browsers do not trust with a microphone have none: those of another device without encryption.
    if (!navigator.mediaDevices?.getUserMedia) return this.tell("This browser gives this page no microphone");
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ audio: AS_IT_IS });
    } catch (error) {
      const why = { NotAllowedError: "This page was not allowed to use the microphone", NotFoundError: "There is no microphone" };
      return this.tell(why[error.name] ?? `The microphone cannot be used: ${error.message}`);
    }
    const { context } = this.link;
    this.source = new MediaStreamAudioSourceNode(context, { mediaStream: this.stream });
    await this.link.engine.listenTo(this.source);
    this.button.setAttribute("aria-pressed", "true");
    const [track] = this.stream.getAudioTracks();
    track.onended = () => this.end();
    this.tell(`“${track.label || "The microphone"}” drives the signal “input”. Wear headphones, or it hears itself`);
  }

  end() {
    this.source?.disconnect();
    this.stream?.getTracks().forEach((track) => track.stop());
    [this.source, this.stream] = [null, null];
    this.button.setAttribute("aria-pressed", "false");
  }
}
