// Choices above a list whose members carry classes "is-<name>-<value>"; without scripts the whole list stands there.
// The choices stand in the address (?verdict=refuted), so that a choice can be linked.
document.addEventListener("DOMContentLoaded", () => {
  const wanted = new URLSearchParams(location.search);
  for (const list of document.querySelectorAll(".filterable")) {
    const members = [...list.querySelectorAll("tbody tr, .erratum")];
    const values = new Map(); // name of a choice -> its values, in the order in which they occur
    const traits = new Map(members.map((member) => [member, new Map([...member.classList].flatMap((word) => {
      const [, name, value] = word.match(/^is-([a-z]+)-(.+)$/) ?? [];
      if (name) values.set(name, (values.get(name) ?? new Map()).set(value, (values.get(name)?.get(value) ?? 0) + 1));
      return name ? [[name, value]] : [];
    }))]));
    const bar = document.createElement("form");
    bar.className = "filters";
    const said = Object.assign(document.createElement("output"), { className: "filters-said" });
    const fields = [];
    const label = (name, field) => {
      const line = document.createElement("label");
      line.append(`${name[0].toUpperCase()}${name.slice(1)} `, field);
      field.name = name;
      fields.push(field);
      bar.append(line);
    };
    for (const [name, found] of values) {
      const field = document.createElement("select");
      field.append(new Option("all", ""));
      for (const [value, count] of found) field.append(new Option(`${value.replaceAll("-", " ")} (${count})`, value));
      if (found.has(wanted.get(name))) field.value = wanted.get(name);
      label(name, field);
    }
    label("text", Object.assign(document.createElement("input"), { type: "search", value: wanted.get("text") ?? "", size: 14 }));
    const apply = () => {
      let shown = 0;
      const words = fields.at(-1).value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const member of members) {
        const fits = fields.slice(0, -1).every((field) => !field.value || traits.get(member).get(field.name) === field.value)
          && words.every((word) => member.textContent.toLowerCase().includes(word));
        member.hidden = !fits;
        shown += fits;
      }
      said.textContent = `${shown} of ${members.length}`;
      const chosen = fields.some((field) => field.value);
      for (const group of list.querySelectorAll(".filter-group")) {
        group.hidden = !group.querySelector("tbody tr:not([hidden]), .erratum:not([hidden])");
        if (group.matches("details")) group.open = chosen; // a group that opens shows what was chosen, and closes again
      }
    };
    const remember = () => {
      const chosen = new URLSearchParams(fields.filter((field) => field.value).map((field) => [field.name, field.value]));
      history.replaceState(null, "", `${location.pathname}${chosen.size ? `?${chosen}` : ""}${location.hash}`);
    };
    bar.addEventListener("submit", (event) => event.preventDefault());
    bar.addEventListener("input", () => { apply(); remember(); });
    bar.append(said);
    list.prepend(bar);
    apply();
  }
});
