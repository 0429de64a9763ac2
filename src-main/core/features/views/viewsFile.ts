import { savedViewSchema, type SavedView } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue, parsedJson, type JsonObject } from '../../base/json.ts';

/** Identifies a file of views. */
const kind = 'field-console.views';

/** No filter needs a longer list, and longer ones would slow down every page. */
const mostWords = 64;
const longestWord = 256;

/** A saved view for sharing, without its id, which belongs to one computer. */
export type SharedView = Omit<SavedView, 'id'>;

const sharedViewSchema = savedViewSchema.omit({ id: true });
const memberNames = Object.keys(sharedViewSchema.shape) as (keyof SharedView)[];

/** A `*.views.json` file. It does not say whose it is or where it comes from. */
export function writeViewsFile(views: readonly SavedView[]): Uint8Array {
  const shared = views.map((view) => Object.fromEntries(memberNames.map((name) => [name, view[name]])));
  return new TextEncoder().encode(`${JSON.stringify({ kind, version: 1, views: shared }, null, 2)}\n`);
}

/** The readable views of such a file, and how many were not readable. */
export interface ReadViews {
  readonly views: readonly SharedView[];
  readonly unreadable: number;
}

/**
 * Reads a file of views. A view is imported completely or not at all: without one of its filters it would not show what
 * its name says. Members of later versions are ignored.
 *
 * @returns null when it is no such file, or has an unknown version
 */
export function readViewsFile(text: string): ReadViews | null {
  // Some editors add a byte order mark.
  const value = parsedJson(text.replace(/^\uFEFF/, ''));
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
