// What cells and statements share: a bar of buttons, an editor, and the output below.
let edit;

export const make = (tag, name, text = "") => { const found = document.createElement(tag); found.className = name; found.textContent = text; return found; };

/** A button that a reader presses; what a script presses does nothing. */
export function button(text, act) {
  const found = make("button", "live-button", text);
  found.type = "button";
  found.addEventListener("click", (event) => { if (event.isTrusted) act(); });
  return found;
}

/** Text and figures of a run; a new run empties it. */
export class Output {
  constructor(label) {
    this.box = make("div", "live-output");
    this.box.hidden = true;
    this.text = make("pre", "live-text");
    this.text.tabIndex = 0;
    this.text.setAttribute("role", "log");
    this.text.setAttribute("aria-live", "polite");
    this.text.setAttribute("aria-label", label);
    this.figures = make("div", "live-figures");
    this.box.append(make("p", "live-label", label), this.text, this.figures);
  }

  clear() {
    for (const image of this.figures.querySelectorAll("img")) URL.revokeObjectURL(image.src);
    this.text.textContent = "";
    this.figures.replaceChildren();
    this.box.hidden = true;
  }

  write(text, to) {
    this.box.hidden = false;
    const last = this.text.lastElementChild;
    if (last?.className === to) { last.textContent += text; return; }
    this.text.append(make("span", to, text));
  }

  draw(pictures) {
    for (const picture of pictures) {
      this.box.hidden = false;
      const image = new Image();
      image.alt = "the figure that this run has drawn";
      image.src = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
      this.figures.append(image);
    }
  }
}

/** A text that is shown, and edited when asked: `shown` is what stands in the page. */
export class Editable {
  constructor(shown, { text, label, language, run, changed }) {
    Object.assign(this, { shown, first: text, label, language, run, changed });
  }

  get text() { return this.editor ? this.editor.text : this.first; }
  get isChanged() { return this.text !== this.first; }

  async open(base, back) {
    edit ??= (await import(new URL("editor.js", base))).editor;
    if (this.editor) { this.box.hidden = false; this.shown.hidden = true; this.editor.focus(); return; }
    this.box = make("div", "live-editor highlight");
    this.shown.after(this.box);
    this.editor = edit(this.box, { text: this.first, label: `${this.label}. Shift and Enter run it, Escape leaves the editor.`,
      language: this.language, run: this.run, leave: () => back.focus(), changed: this.changed });
    this.shown.hidden = true;
  }

  reset() {
    if (this.editor) { this.editor.text = this.first; this.box.hidden = true; }
    this.shown.hidden = false;
  }
}
