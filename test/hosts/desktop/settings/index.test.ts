import { expect, test } from 'vitest';
import { settingsAttachments } from '../../../../src-main/hosts/desktop/settings/index.ts';
import { followTheme } from '../../../../src-main/hosts/desktop/settings/theme.ts';
import { createMemoryDocuments } from '../../../support/ports.ts';

test('a kiosk’s window has no place, no size, no tray, no icon and no second window', () => {
  const documents = createMemoryDocuments();
  const others = { documents, place: null, onSecondWindows: () => undefined };
  expect(settingsAttachments({ kiosk: true, ...others })).toEqual([followTheme]);
  expect(settingsAttachments({ kiosk: false, ...others })).toHaveLength(7);
});
