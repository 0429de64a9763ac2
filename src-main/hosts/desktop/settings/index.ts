import type { Documents } from '../../../core/base/ports.ts';
import type { Attachment } from '../attachment.ts';
import { keepSecondWindows, type SecondWindows } from './secondWindows.ts';
import { keepTray } from './tray.ts';
import { keepWindowPlaces } from './windowPlaces.ts';
import { keepZoom } from './zoom.ts';

/**
 * The parts of a desktop window that a kiosk does not have: a remembered position, a size of the page, a tray, and
 * second windows.
 */
export function settingsAttachments(options: {
  readonly kiosk: boolean;
  readonly documents: Documents;
  /** Called with the way to open a second window, and with null when none can be opened any longer. */
  readonly onSecondWindows: (windows: SecondWindows | null) => void;
}): readonly Attachment[] {
  if (options.kiosk) return [];
  const { documents, onSecondWindows } = options;
  return [keepWindowPlaces(documents), keepZoom, keepTray, keepSecondWindows(documents, onSecondWindows)];
}
