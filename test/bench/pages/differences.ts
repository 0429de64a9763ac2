import type { PageCopy } from './floorApi.ts';

/** One text or attribute that another copy of the same page has otherwise. */
export interface Difference {
  /** Writes what the other copy has, or what stood here. */
  readonly change: (toOther: boolean) => void;
}

/**
 * What has to be written into a page so that it says what a copy of it says: texts and attributes, found
 * beforehand, so that to write them is all that is left to do.
 *
 * @throws where the copy has other elements
 */
export function differences(page: Document, { body, root }: PageCopy): readonly Difference[] {
  const copy = new DOMParser().parseFromString(body, 'text/html');
  for (const [name, value] of Object.entries(root)) copy.documentElement.setAttribute(name, value);
  // What the map made is another map's.
  const map = copy.querySelector('[data-map-state]');
  map?.replaceChildren();
  const found = attributesOf(page.documentElement, copy.documentElement, ['lang', 'dir']);
  const theirs = [...copy.body.querySelectorAll('*')];
  const ours = [...page.body.querySelectorAll('*')].filter(
    (element) => !element.matches('[data-map-state] *'),
  );
  if (ours.length !== theirs.length)
    throw new Error(`The copies differ: ${String(ours.length)} and ${String(theirs.length)} elements`);
  ours.forEach((element, at) => {
    const twin = theirs[at];
    if (twin?.tagName !== element.tagName) throw new Error(`The copies differ at a ${element.tagName}`);
    found.push(...attributesOf(element, twin, twin.getAttributeNames()));
    element.childNodes.forEach((node, index) => {
      const other = twin.childNodes[index];
      if (!(node instanceof Text) || other?.nodeType !== Node.TEXT_NODE) return;
      const [here, there] = [node.data, other.textContent ?? ''];
      if (here !== there) found.push({ change: (toOther) => void (node.data = toOther ? there : here) });
    });
  });
  return found;
}

function attributesOf(element: Element, twin: Element, names: readonly string[]): Difference[] {
  return names.flatMap((name) => {
    const [here, there] = [element.getAttribute(name) ?? '', twin.getAttribute(name) ?? ''];
    if (here === there) return [];
    return [
      {
        change: (toOther: boolean) => {
          element.setAttribute(name, toOther ? there : here);
        },
      },
    ];
  });
}
