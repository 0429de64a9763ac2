import type { Documents } from '../../../core/ports.ts';
import type { Attachment } from '../attachment.ts';
import { keepTray } from './tray.ts';
import { keepWindowPlaces, type WindowPlace } from './windowPlaces.ts';
import { keepZoom } from './zoom.ts';

/**
 * What the window of a desktop has that a kiosk's has not: a place that is remembered, a size of the
 * page, and a tray. `place` is where the window was opened.
 */
export function settingsAttachments(options: {
  readonly kiosk: boolean;
  readonly documents: Documents;
  readonly place: WindowPlace | null;
}): readonly Attachment[] {
  if (options.kiosk) return [];
  return [keepWindowPlaces(options.documents, options.place), keepZoom, keepTray];
}
