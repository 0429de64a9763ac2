import { savedViewSchema, type SavedView } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue, type JsonObject } from '../../base/json.ts';

/** What makes a file of views one, and nothing else. */
const kind = 'field-console.views';

/** Longer lists than any filter needs would only be a burden on every page. */
const mostWords = 64;
const longestWord = 256;

/** A saved view as it is shared: its id belongs to the computer it was saved on. */
export type SharedView = Omit<SavedView, 'id'>;

const sharedViewSchema = savedViewSchema.omit({ id: true });
const memberNames = Object.keys(sharedViewSchema.shape) as (keyof SharedView)[];

/** A `*.views.json` file. Nothing in it says whose it is or where it comes from. */
export function writeViewsFile(views: readonly SavedView[]): Uint8Array {
  const shared = views.map((view) => Object.fromEntries(memberNames.map((name) => [name, view[name]])));
  return new TextEncoder().encode(`${JSON.stringify({ kind, version: 1, views: shared }, null, 2)}\n`);
}

/** What could be read of such a file, and how many of its views could not. */
export interface ReadViews {
  readonly views: readonly SharedView[];
  readonly unreadable: number;
}

/**
 * Reads a file of views. A view is taken whole or not at all: one whose filter was left out would show
 * something else than its name says. Members that a later version added are passed over.
 *
 * @returns null when it is no such file, or one of a version that this console does not know
 */
export function readViewsFile(text: string): ReadViews | null {
  let value: unknown;
  try {
    // A byte order mark is what some editors leave.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  if (!isObject(value) || ownValue(value, 'kind') !== kind || ownValue(value, 'version') !== 1) return null;
  const entries = ownValue(value, 'views');
  if (!Array.isArray(entries)) return null;
  const views = new Map<string, SharedView>();
  for (const entry of entries as unknown[]) {
    const view = isObject(entry) ? readView(entry) : null;
    if (view !== null && !views.has(view.name)) views.set(view.name, view);
  }
  return { views: [...views.values()], unreadable: entries.length - views.size };
}

function readView(entry: JsonObject): SharedView | null {
  const known = memberNames.filter((name) => Object.hasOwn(entry, name));
  const name = ownValue(entry, 'name');
  const reading = sharedViewSchema.safeParse({
    ...Object.fromEntries(known.map((member) => [member, ownValue(entry, member)])),
    name: typeof name === 'string' ? name.trim() : name,
  });
  if (!reading.success) return null;
  const words = [reading.data.severities, reading.data.statuses, reading.data.types];
  const small = words.every(
    (list) => list.length <= mostWords && list.every((word) => word.length <= longestWord),
  );
  return small ? reading.data : null;
}
