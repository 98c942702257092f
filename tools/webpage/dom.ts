// What the parts of the page share in getting at its elements.

/** The element with that id, which index.html has. */
export function element<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as E;
}

/** Fill a chooser with values and their texts; what was chosen stays so. */
export function options(select: HTMLSelectElement, list: readonly (readonly [value: string, text: string])[]): void {
  const chosen = select.value;
  select.replaceChildren(...list.map(([value, text]) => new Option(text, value)));
  if (list.some(([value]) => value === chosen)) select.value = chosen;
}

/** Have the browser save a file. */
export function download(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  // The browser reads it in its own time.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
