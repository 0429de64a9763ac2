import { z } from 'zod';
import {
  cameraSchema,
  paneParameter,
  searchTextSchema,
  type Camera,
} from '../../src-preload/contract/index.ts';
import type { Pane } from '../base/stores/ui.ts';

/** The one channel of all windows of this console: same origin, never over the network. */
export const followChannel = 'field-console.follow';

/**
 * What one window tells the others. `asked`: a window has opened and asks how things stand. `stands`: how
 * this window stands, or what has changed in it; members that are not there have not changed.
 */
const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('asked') }),
  z.strictObject({
    kind: z.literal('stands'),
    /** Keys mean something within one epoch of the console only. */
    epoch: z.string().max(64).nullable(),
    selection: z.strictObject({ key: z.int().min(0).nullable(), on: z.enum(['list', 'map']) }).optional(),
    search: searchTextSchema.optional(),
    /** The part of the range that the brush leaves; Unix ms. */
    window: z.strictObject({ from: z.number(), to: z.number() }).nullable().optional(),
    camera: cameraSchema.nullable().optional(),
  }),
]);
export type FollowMessage = z.infer<typeof messageSchema>;
export type WindowState = Extract<FollowMessage, { kind: 'stands' }>;

/** Null for what is no message of this version. */
export const readFollowMessage = (data: unknown): FollowMessage | null =>
  messageSchema.safeParse(data).data ?? null;

/** About a metre, and a difference of zoom that is not visible. */
const nearDegrees = 1e-5;
const nearZoom = 1e-3;

/** Whether a map that was told to look there would say that it looks here. */
export function sameCamera(a: Camera | null, b: Camera | null): boolean {
  if (a === null || b === null) return a === b;
  const turn = Math.abs(a.longitude - b.longitude) % 360;
  return (
    Math.min(turn, 360 - turn) < nearDegrees &&
    Math.abs(a.latitude - b.latitude) < nearDegrees &&
    Math.abs(a.zoom - b.zoom) < nearZoom
  );
}

/** What the page's address says that this window shows. */
export function paneOf(search: string): Pane {
  const pane = new URLSearchParams(search).get(paneParameter);
  return pane === 'map' || pane === 'list' ? pane : 'all';
}
