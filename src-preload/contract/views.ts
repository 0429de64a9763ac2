import { z } from 'zod';
import { columnNames, sortColumns } from './listColumns.ts';
import { mapIdSchema } from './maps.ts';
import { callers, done, fetched, type VerbDeclarations } from './verb.ts';

/** Where the map looks. Degrees, WGS 84; zoom as in MapLibre. */
export const cameraSchema = z.strictObject({
  longitude: z.number().min(-180).max(180),
  latitude: z.number().min(-90).max(90),
  zoom: z.number().min(0).max(24),
});
export type Camera = z.infer<typeof cameraSchema>;

/** Degrees, WGS 84. */
export const positionSchema = z.strictObject({
  longitude: z.number().min(-180).max(180),
  latitude: z.number().min(-90).max(90),
});
export type Position = z.infer<typeof positionSchema>;

export const panelNames = [
  'incidents',
  'drones',
  'integrations',
  'evidence',
  'outbox',
  'missions',
  'alarms',
  'log',
  'maps',
  'settings',
  'diagnostics',
] as const;
export type PanelName = (typeof panelNames)[number];

/** Null for the usual list of two lines a row; else a table of these columns, widths in CSS pixels. */
export const columnsSchema = z
  .array(z.strictObject({ name: z.enum(columnNames), width: z.int().min(48).max(480) }))
  .min(1)
  .max(columnNames.length)
  .nullable();
export type Columns = z.infer<typeof columnsSchema>;

/** What groups of the list have in common: the type, or the nearest town. */
export const groupings = ['none', 'type', 'place'] as const;
export type GroupBy = (typeof groupings)[number];
const groupBySchema = z.enum(groupings);

/** What is drawn over the map beside incidents. */
export const overlaysSchema = z.strictObject({ graticule: z.boolean(), mgrsGrid: z.boolean() });
export type Overlays = z.infer<typeof overlaysSchema>;

/** How the page was left, for the next sign-in. Query and views are the console's own to keep. */
export const layoutSchema = z.strictObject({
  camera: cameraSchema.nullable(),
  panel: z.enum(panelNames),
  sortBy: z.enum(sortColumns),
  sortDirection: z.enum(['ascending', 'descending']),
  columns: columnsSchema,
  groupBy: groupBySchema,
  overlays: overlaysSchema,
  /** Whether the histogram of incidents over time is open. */
  timeline: z.boolean(),
  /** CSS pixels; null for the width that fits the window. */
  detailsWidth: z.int().min(320).max(640).nullable(),
  /** Ids of the actions of the palette that were used last, the last one first. */
  recentActions: z.array(z.string().max(64)).max(8),
});
export type Layout = z.infer<typeof layoutSchema>;

/** What the search box holds. */
export const searchTextSchema = z.string().max(256);

/**
 * The map packages that a view shows, the lowest first; null where it says nothing of them. Ids differ from
 * computer to computer, so a name goes with each.
 */
export const viewPackagesSchema = z
  .array(z.strictObject({ id: mapIdSchema, name: z.string().max(256) }))
  .max(64)
  .nullable();

/** What a saved view brings back. Members that came later have a default: an older view is a view. */
export const savedViewSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  name: z.string().min(1).max(80),
  camera: cameraSchema.nullable(),
  range: z.enum(['1h', '6h', '24h', '7d', 'all']),
  severities: z.array(z.string()),
  statuses: z.array(z.string()),
  types: z.array(z.string()).default([]),
  openOnly: z.boolean().default(false),
  search: searchTextSchema.default(''),
  columns: columnsSchema.default(null),
  groupBy: groupBySchema.default('none'),
  overlays: overlaysSchema.default({ graticule: false, mgrsGrid: false }),
  packages: viewPackagesSchema.default(null),
});
export type SavedView = z.infer<typeof savedViewSchema>;

/** How an account works: stored sealed in the vault. */
export const workspaceSchema = z.strictObject({
  /** Counts how often a vault brought its layout back: a page takes `layout` over when this has changed. */
  restored: z.int().min(0),
  layout: layoutSchema,
  /** In the order of the wallboard's rotation. */
  views: z.array(savedViewSchema).max(64),
  /** Where the station itself stands; range and bearing are counted from here. */
  station: positionSchema.nullable(),
  /** The incident that a link opened last, and how many have been opened: a page shows each once. */
  linked: z
    .strictObject({ incidentId: z.string(), times: z.int().min(1) })
    .nullable()
    .default(null),
});
export type Workspace = z.infer<typeof workspaceSchema>;

export const viewVerbs = {
  /** How the page stands, to be brought back by the next sign-in of this account. */
  keepLayout: { access: callers.handsOn, request: layoutSchema.partial(), reply: done },
  /** Saves the present filters with a camera under a name; a name that is there already is replaced. */
  saveView: {
    access: callers.handsOn,
    request: z.strictObject({
      name: savedViewSchema.shape.name,
      camera: savedViewSchema.shape.camera,
      search: z.string().max(256),
    }),
    reply: savedViewSchema,
  },
  /** Gives a view another name; one that another view has is refused. */
  renameView: {
    access: callers.handsOn,
    request: savedViewSchema.pick({ id: true, name: true }),
    reply: done,
  },
  removeView: { access: callers.handsOn, request: savedViewSchema.pick({ id: true }), reply: done },
  /** `to` is the place in the list, 0 for the first. */
  moveView: {
    access: callers.handsOn,
    request: z.strictObject({ id: savedViewSchema.shape.id, to: z.int().min(0).max(63) }),
    reply: done,
  },
  /** Prepares views as a file, to be fetched once as `GET /export/{exportId}`. */
  exportViews: {
    access: callers.exporters,
    request: z.strictObject({ ids: z.array(savedViewSchema.shape.id).min(1).max(64) }),
    reply: fetched,
  },
  /** Takes in the views of such a file; one of a name that is there already is replaced. */
  importViews: {
    access: callers.handsOn,
    request: z.strictObject({ text: z.string().max(1_000_000) }),
    reply: z.strictObject({ added: z.int(), replaced: z.int(), unreadable: z.int() }),
  },
  /** Where the station itself stands; null for nowhere. */
  setStation: {
    access: callers.handsOn,
    request: z.strictObject({ position: positionSchema.nullable() }),
    reply: done,
  },
  /**
   * A second window with the map or the list only. `url`: in the browser host the page opens it itself, with
   * another launch code; null where the host has opened it.
   */
  openWindow: {
    access: callers.handsOn,
    request: z.strictObject({ show: z.enum(['map', 'list']) }),
    reply: z.strictObject({ url: z.string().max(2_048).nullable() }),
  },
} as const satisfies VerbDeclarations;
