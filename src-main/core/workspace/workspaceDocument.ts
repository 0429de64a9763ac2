import {
  incidentQuerySchema,
  layoutSchema,
  savedViewSchema,
  type IncidentQuery,
  type Layout,
  type SavedView,
} from '../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../domain/json.ts';

export const layoutAtStart: Layout = {
  camera: null,
  panel: 'incidents',
  sortBy: 'created',
  sortDirection: 'descending',
};

/** So many views are kept at most. */
export const mostViews = 64;

/** What is kept of how an account works. */
export interface WorkspaceDocument {
  readonly layout: Layout;
  readonly query: IncidentQuery;
  readonly views: readonly SavedView[];
}

export const writeWorkspace = (document: WorkspaceDocument): string =>
  JSON.stringify({ version: 1, ...document });

/**
 * Takes each member that holds by itself: a panel that a later version has must not cost the camera.
 * `usual` says what stands in for the others.
 */
export function readWorkspace(text: string | null, usual: WorkspaceDocument): WorkspaceDocument {
  let value: unknown;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    return usual;
  }
  if (!isObject(value) || ownValue(value, 'version') !== 1) return usual;
  return {
    layout: readMembers(layoutSchema, ownValue(value, 'layout'), usual.layout),
    query: readMembers(incidentQuerySchema, ownValue(value, 'query'), usual.query),
    views: readViews(ownValue(value, 'views')),
  };
}

type MembersSchema<T> = {
  readonly shape: { readonly [K in keyof T]-?: { safeParse(value: unknown): { success: boolean } } };
};

function readMembers<T extends object>(schema: MembersSchema<T>, value: unknown, usual: T): T {
  if (!isObject(value)) return usual;
  const kept = Object.keys(usual)
    .map((name) => [name, ownValue(value, name)] as const)
    .filter(([name, member]) => schema.shape[name as keyof T].safeParse(member).success);
  return { ...usual, ...(Object.fromEntries(kept) as Partial<T>) };
}

function readViews(value: unknown): SavedView[] {
  const views: SavedView[] = [];
  for (const entry of Array.isArray(value) ? (value as unknown[]) : []) {
    const reading = savedViewSchema.safeParse(entry);
    if (!reading.success || views.length >= mostViews) continue;
    const { id, name } = reading.data;
    if (!views.some((known) => known.id === id || known.name === name)) views.push(reading.data);
  }
  return views;
}
