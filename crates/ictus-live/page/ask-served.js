// Questions to the program that serves the page.

/** Asks a question; resolves to its answer (docs/protocol.md), a refusal if there is none. */
export async function ask(question) {
  try {
    const answer = await fetch("ask", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question) });
    if (answer.ok) return await answer.json();
    return { type: "refused", message: `the program does not answer (${answer.status})` };
  } catch {
    return { type: "refused", message: "the program cannot be reached" };
  }
}
