import type { MapPackage, SavedView } from '../../../src-preload/contract/index.ts';

type Known = Pick<MapPackage, 'id' | 'name'>;

/** What a view's map packages are on this computer. */
export interface FoundPackages {
  /** Ids of those to be shown. */
  readonly shown: ReadonlySet<string>;
  /** Names of those that are not here. */
  readonly gone: readonly string[];
}

/**
 * The map packages that a view shows, among those `there`; null where the view says nothing of them, as one
 * that was saved without any. On another computer a package has another id, so that one of the same name
 * stands for it, if it is the only one.
 */
export function packagesOfView(
  packages: SavedView['packages'],
  there: readonly Known[],
): FoundPackages | null {
  if (packages === null) return null;
  const shown = new Set<string>();
  const gone: string[] = [];
  for (const wanted of packages) {
    const named = there.filter(({ name }) => name === wanted.name);
    const found = there.find(({ id }) => id === wanted.id) ?? (named.length === 1 ? named[0] : undefined);
    if (found) shown.add(found.id);
    else gone.push(wanted.name);
  }
  return { shown, gone };
}
