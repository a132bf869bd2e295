// A lab runs when it is opened: a notebook whose metadata say {"derl": {"run_on_open": true}}.
// JupyterLab loads this file as it is (no bundler): a container with `init` and `get`, and one plugin in it.
(() => {
  const NARROW = 900; // pixels; below, the list of files leaves no room for a picture
  const opened = new WeakSet();
  let shared; // the modules of JupyterLab itself

  async function actions() {
    const [version] = Object.values(shared["@jupyterlab/notebook"]);
    return (await version.get())().NotebookActions;
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
    await panel.sessionContext.ready;
    await panel.sessionContext.session?.kernel?.info; // a cell that is run before the kernel answers is lost
    await (await actions()).runAll(panel.content, panel.sessionContext);
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

  const plugin = { id: "derl-labs:run-on-open", description: "Runs a lab when it is opened.", autoStart: true, activate };
  const containers = (globalThis._JUPYTERLAB ??= {});
  containers["derl-labs"] = {
    init: (scope) => { shared = scope; },
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
