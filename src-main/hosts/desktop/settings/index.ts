import type { Documents } from '../../../core/base/ports.ts';
import type { Attachment } from '../attachment.ts';
import { keepSecondWindows, type SecondWindows } from './secondWindows.ts';
import { followTheme } from './theme.ts';
import { keepTray } from './tray.ts';
import { keepAwake, showAlarms } from './unattended.ts';
import { keepWindowPlaces } from './windowPlaces.ts';
import { keepZoom } from './zoom.ts';

/**
 * The parts of a desktop window. A kiosk has only the theme of its dialogs: it is always awake, and has no icon, no
 * remembered position, no size of the page, no tray and no second windows.
 */
export function settingsAttachments(options: {
  readonly kiosk: boolean;
  readonly documents: Documents;
  /** Called with the way to open a second window, and with null when none can be opened any longer. */
  readonly onSecondWindows: (windows: SecondWindows | null) => void;
}): readonly Attachment[] {
  if (options.kiosk) return [followTheme];
  const { documents, onSecondWindows } = options;
  return [
    followTheme,
    keepAwake,
    showAlarms,
    keepWindowPlaces(documents),
    keepZoom,
    keepTray,
    keepSecondWindows(documents, onSecondWindows),
  ];
}
