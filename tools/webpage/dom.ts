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
