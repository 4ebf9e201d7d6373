// What everybody should see for a moment: refusals, and what this browser cannot do. It is read out too.

const SHOWN = 8000; // ms

/** Shows a sentence at the foot of the page. The same one again is shown longer, not twice. */
export function notice(text) {
  const box = document.getElementById("notices");
  let line = [...box.children].find((one) => one.firstChild.textContent === text);
  clearTimeout(line?.ends);
  if (!line) {
    line = document.createElement("p");
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", "Close this notice");
    close.addEventListener("click", () => line.remove());
    const said = document.createElement("span");
    said.textContent = text;
    line.append(said, close);
    box.append(line);
    while (box.children.length > 3) box.firstChild.remove();
  }
  line.ends = setTimeout(() => line.remove(), SHOWN);
}
