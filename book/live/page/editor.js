// The editor of cells and statements: CodeMirror, loaded when somebody edits.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "k" }, { tag: tags.string, class: "s" }, { tag: tags.comment, class: "c1" }, { tag: tags.number, class: "mi" }]);

/** An editor in `parent`: `run` on Shift+Enter, `leave` on Escape, `changed` after each edit. Tab leaves it, too. */
export function editor(parent, { text, label, language, run, leave, changed }) {
  const own = [
    { key: "Shift-Enter", run: () => { run(); return true; } },
    { key: "Escape", run: () => { leave(); return true; } }];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([...own, ...historyKeymap, ...defaultKeymap]), history(), bracketMatching(), indentUnit.of("    "),
        language === "python" ? [python(), syntaxHighlighting(colours)] : EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); })] }) });
  view.focus();
  return { get text() { return view.state.doc.toString(); }, set text(all) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: all } }); }, focus: () => view.focus() };
}
