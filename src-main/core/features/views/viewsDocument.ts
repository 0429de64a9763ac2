import {
  incidentQuerySchema,
  layoutSchema,
  positionSchema,
  savedViewSchema,
  type IncidentQuery,
  type Layout,
  type Position,
  type SavedView,
} from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue, parsedJson, readMembers } from '../../base/json.ts';

export const layoutAtStart: Layout = {
  camera: null,
  panel: 'incidents',
  sortBy: 'severity',
  sortDirection: 'descending',
  columns: null,
  groupBy: 'none',
  overlays: { graticule: false, mgrsGrid: false },
  timeline: false,
  detailsWidth: null,
  recentActions: [],
};

/** The most saved views. */
export const mostViews = 64;

/** The stored workspace of an account. */
export interface WorkspaceDocument {
  readonly layout: Layout;
  readonly query: IncidentQuery;
  readonly views: readonly SavedView[];
  readonly station: Position | null;
}

export const writeWorkspace = (document: WorkspaceDocument): string =>
  JSON.stringify({ version: 1, ...document });

/**
 * Reads each member separately: an unknown panel of a later version must not cost the camera. An invalid member takes
 * its value from `usual`.
 */
export function readWorkspace(text: string | null, usual: WorkspaceDocument): WorkspaceDocument {
  const value = parsedJson(text);
  if (!isObject(value) || ownValue(value, 'version') !== 1) return usual;
  return {
    layout: readMembers(layoutSchema, ownValue(value, 'layout'), usual.layout),
    query: readMembers(incidentQuerySchema, ownValue(value, 'query'), usual.query),
    views: readViews(ownValue(value, 'views')),
    station: positionSchema.safeParse(ownValue(value, 'station')).data ?? usual.station,
  };
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
