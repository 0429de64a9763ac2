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
import { isObject, ownValue, readMembers } from '../../base/json.ts';

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

/** So many views are kept at most. */
export const mostViews = 64;

/** What is kept of how an account works. */
export interface WorkspaceDocument {
  readonly layout: Layout;
  readonly query: IncidentQuery;
  readonly views: readonly SavedView[];
  readonly station: Position | null;
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
