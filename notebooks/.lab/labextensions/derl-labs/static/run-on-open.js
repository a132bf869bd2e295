// A lab runs when it is opened if it is one that derl ships: its cells have a digest that is in shipped.json beside this
// file (python -m derl.show.labs.shipped), its kernel is that of derl, and its metadata hold nothing else. Any other
// notebook that asks for it, {"derl": {"run_on_open": true}}, shows its cells and a button.
// JupyterLab loads this file as it is (no bundler): a container with `init` and `get`, and one plugin in it.
(() => {
  const NARROW = 900; // pixels; below, the list of files leaves no room for a picture
  const KERNEL = "python3";
  const METADATA = ["derl", "kernelspec", "language_info"];
  const here = document.currentScript?.src;
  const opened = new WeakSet();
  let shared; // the modules of JupyterLab itself

  async function library(name) {
    const [version] = Object.values(shared[name]);
    return (await version.get())();
  }

  // The digests of what is shipped, from the folder of this file and never from that of a notebook.
  async function shipped() {
    const answer = await fetch(new URL("shipped.json", here), { cache: "no-store" });
    return answer.ok ? new Set(Object.values(await answer.json())) : new Set();
  }

  // All that is run or rendered: kind, source and attachments of every cell, in order, as one text.
  const cells = (panel) => JSON.stringify([...panel.content.model.cells].map((cell) =>
    [cell.type, cell.sharedModel.getSource(), cell.sharedModel.toJSON().attachments ?? {}]));

  const plain = (panel) => {
    const metadata = panel.content.model.sharedModel.metadata;
    return Object.keys(metadata).every((key) => METADATA.includes(key)) && metadata.kernelspec?.name === KERNEL;
  };

  async function digest(text) {
    const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)); // there is none without a secure context
    return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // The cells as they were hashed, or null where the notebook is not one of ours.
  async function ours(panel) {
    const text = cells(panel);
    if (!globalThis.crypto?.subtle || !plain(panel)) return null;
    const [known, found] = await Promise.all([shipped(), digest(text)]);
    return known.has(found) ? text : null;
  }

  async function ask(panel, text) {
    const { Widget } = await library("@lumino/widgets");
    const bar = document.createElement("div");
    bar.className = "derl-not-shipped";
    bar.style.cssText = "min-height: 56px; overflow: auto; box-sizing: border-box; padding: 8px 12px; border-bottom: 1px solid var(--jp-border-color1); color: var(--jp-ui-font-color1); background: var(--jp-layout-color2)";
    const button = Object.assign(document.createElement("button"), { textContent: "Run this notebook", className: "jp-mod-styled jp-mod-accept" });
    button.style.marginLeft = "12px";
    bar.append(text, button);
    button.addEventListener("click", async () => {
      header.dispose();
      await panel.sessionContext.ready;
      await panel.sessionContext.session?.kernel?.info; // a cell that is run before the kernel answers is lost
      await (await library("@jupyterlab/notebook")).NotebookActions.runAll(panel.content, panel.sessionContext);
    });
    const header = new Widget({ node: bar });
    panel.contentHeader.addWidget(header);
    for (const cell of panel.content.widgets) cell.inputHidden = false; // what would run is seen
  }

  async function run(panel, app) {
    await Promise.all([panel.context.ready, panel.revealed]);
    const wanted = panel.content.model?.getMetadata("derl");
    if (!wanted) return;
    if (window.innerWidth < NARROW) {
      app.shell.collapseLeft();
      app.shell.collapseRight();
    }
    if (!wanted.run_on_open) {
      panel.context.model.dirty = false;
      return;
    }
    const hashed = await ours(panel);
    if (hashed === null) {
      await ask(panel, "This notebook is not one that derl ships as it is, so it does not run by itself. Read its cells first: they can do whatever you can do.");
      return;
    }
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session?.kernel;
    await kernel?.info; // a cell that is run before the kernel answers is lost
    const { CodeCell } = await library("@jupyterlab/cells");
    // no cell is edited from here to its run without being seen: the comparison and `execute` read the same text at once
    for (const cell of [...panel.content.widgets]) {
      if (cells(panel) !== hashed || !plain(panel) || kernel?.name !== KERNEL || panel.sessionContext.session?.kernel !== kernel) {
        await ask(panel, "This notebook was changed while it was opened, so it stopped.");
        return;
      }
      if (cell.model.type === "code") await CodeCell.execute(cell, panel.sessionContext);
    }
    panel.content.activeCellIndex = 0;
    panel.content.node.scrollTop = 0;
    panel.context.model.dirty = false; // nothing to save: a lab is kept without what a run leaves
  }

  function activate(app) {
    const look = () => {
      for (const panel of app.shell.widgets("main")) {
        if (panel.sessionContext && panel.content?.widgets && !opened.has(panel)) {
          opened.add(panel);
          run(panel, app).catch((error) => console.error("derl-labs", error));
        }
      }
    };
    app.restored.then(() => {
      app.shell.layoutModified.connect(look);
      look();
    });
  }

  const plugin = { id: "derl-labs:run-on-open", description: "Runs a lab of derl when it is opened.", autoStart: true, activate };
  const containers = (globalThis._JUPYTERLAB ??= {});
  containers["derl-labs"] = {
    init: (scope) => { shared = scope; },
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
