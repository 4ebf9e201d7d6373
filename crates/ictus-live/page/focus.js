// Groups of controls that are one stop of Tab: arrows go from one to the next, Home and End to the ends.
//
// A slider keeps its left and right arrows, a list of choices too; up and down go on to the next control of the group.

const CONTROLS = "button, input, select, summary, a[href]";
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The controls of a group that can be reached now. */
function controlsOf(group) {
  return [...group.querySelectorAll(CONTROLS)].filter((control) => !control.disabled && control.offsetParent !== null);
}

/** Makes a group one stop of Tab. */
export function makeGroup(group) {
  let current = null; // what had the focus last
  const arrange = () => {
    const controls = controlsOf(group);
    if (!controls.includes(current)) current = null;
    const stop = current ?? controls.find((control) => control.checked && control.type === "radio") ?? controls[0];
    for (const control of controls) {
      // Only what changes, or this would be called again.
      const index = control === stop ? 0 : -1;
      if (control.tabIndex !== index) control.tabIndex = index;
    }
  };
  const choose = (control) => {
    current = control;
    arrange();
    control.focus();
  };
  group.addEventListener("focusin", ({ target }) => {
    if (!target.matches(CONTROLS)) return;
    current = target;
    arrange();
  });
  group.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !target.matches(CONTROLS)) return;
    const takesSideways = target.matches("select, input[type=range], input[type=text]");
    const controls = controlsOf(group);
    const at = controls.indexOf(target);
    let next = null;
    if (key === "Home" || key === "End") next = takesSideways ? null : controls.at(key === "Home" ? 0 : -1);
    else if (key in STEPS && !(takesSideways && /Left|Right/.test(key))) next = controls[(at + STEPS[key] + controls.length) % controls.length];
    if (!next) return;
    event.preventDefault();
    choose(next);
    if (next.type === "radio") next.click();
  });
  new MutationObserver(arrange).observe(group, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "open", "disabled"] });
  new ResizeObserver(arrange).observe(group);
  arrange();
}
