/** The parts of the page that the focus goes round, in reading order. */
export const regionNames = ['rail', 'panel', 'map', 'details', 'status'] as const;
export type RegionName = (typeof regionNames)[number];

const reachable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]:not([role="separator"])';

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/** Moves the focus between the parts of a page; each takes it back where it was left. */
export class Regions {
  readonly #root: ParentNode;
  readonly #left = new WeakMap<Element, HTMLElement>();

  constructor(root: ParentNode) {
    this.#root = root;
  }

  /** Call on every focus, so that a part takes it back there. */
  note(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement)) return;
    const region = target.closest('[data-region]');
    if (region) this.#left.set(region, target);
  }

  /** @returns whether the part is there and took the focus. */
  focus(name: RegionName): boolean {
    const region = this.#root.querySelector(`[data-region="${name}"]`);
    return region !== null && this.#enter(region);
  }

  /** The next part that is there, or the one before; round and round. */
  step(by: 1 | -1, from: Element | null): void {
    const here = from?.closest('[data-region]')?.getAttribute('data-region');
    const at = regionNames.findIndex((name) => name === here);
    const start = at < 0 && by < 0 ? 0 : at;
    for (let steps = 1; steps <= regionNames.length; steps += 1) {
      const next = (start + by * steps + regionNames.length * 2) % regionNames.length;
      const name = regionNames[next];
      if (name !== undefined && name !== here && this.focus(name)) return;
    }
  }

  #enter(region: Element): boolean {
    const left = this.#left.get(region);
    if (left?.isConnected === true && region.contains(left) && isSeen(left)) {
      left.focus();
      return true;
    }
    // The list and the map rather than the first of the buttons around them.
    const own = region.querySelector<HTMLElement>('[data-region-entry], .maplibregl-canvas');
    const all = [...(own ? [own] : []), ...region.querySelectorAll<HTMLElement>(reachable)];
    const first = all.find(isSeen);
    first?.focus();
    return first !== undefined;
  }
}
