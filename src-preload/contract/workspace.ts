import { z } from 'zod';

/** Where the map looks. Degrees, WGS 84; zoom as in MapLibre. */
export const cameraSchema = z.strictObject({
  longitude: z.number().min(-180).max(180),
  latitude: z.number().min(-90).max(90),
  zoom: z.number().min(0).max(24),
});
export type Camera = z.infer<typeof cameraSchema>;

export const panelNames = [
  'incidents',
  'integrations',
  'evidence',
  'outbox',
  'missions',
  'alarms',
  'maps',
  'settings',
  'diagnostics',
] as const;
export type PanelName = (typeof panelNames)[number];

/** How the page was left, for the next sign-in. Query and views are the console's own to keep. */
export const layoutSchema = z.strictObject({
  camera: cameraSchema.nullable(),
  panel: z.enum(panelNames),
  sortBy: z.enum(['created', 'severity', 'status', 'type', 'evidence']),
  sortDirection: z.enum(['ascending', 'descending']),
});
export type Layout = z.infer<typeof layoutSchema>;

/** What a saved view brings back. */
export const savedViewSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  name: z.string().min(1).max(80),
  camera: cameraSchema.nullable(),
  range: z.enum(['1h', '6h', '24h', '7d', 'all']),
  severities: z.array(z.string()),
  statuses: z.array(z.string()),
});
export type SavedView = z.infer<typeof savedViewSchema>;

/** What is kept, sealed in the vault, of how an account works. */
export const workspaceSchema = z.strictObject({
  /** Counts how often a vault brought its layout back: a page takes `layout` over when this has changed. */
  restored: z.int().min(0),
  layout: layoutSchema,
  /** In the order of the wallboard's rotation. */
  views: z.array(savedViewSchema).max(64),
});
export type Workspace = z.infer<typeof workspaceSchema>;
