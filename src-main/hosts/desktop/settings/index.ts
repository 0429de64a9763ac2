import type { Documents } from '../../../core/base/ports.ts';
import type { Attachment } from '../attachment.ts';
import { keepSecondWindows, type SecondWindows } from './secondWindows.ts';
import { keepTray } from './tray.ts';
import { keepWindowPlaces } from './windowPlaces.ts';
import { keepZoom } from './zoom.ts';

/**
 * What the window of a desktop has that a kiosk's has not: a place that is remembered, a size of the
 * page, a tray, and second windows.
 */
export function settingsAttachments(options: {
  readonly kiosk: boolean;
  readonly documents: Documents;
  /** Is told how a second window is opened, and null when none can be any more. */
  readonly onSecondWindows: (windows: SecondWindows | null) => void;
}): readonly Attachment[] {
  if (options.kiosk) return [];
  const { documents, onSecondWindows } = options;
  return [keepWindowPlaces(documents), keepZoom, keepTray, keepSecondWindows(documents, onSecondWindows)];
}
