import { expect, test } from 'vitest';
import { settingsAttachments } from '../../../../src-main/hosts/desktop/settings/index.ts';
import { createMemoryDocuments } from '../../../support/ports.ts';

test('a kiosk’s window has no place, no size and no tray of its own', () => {
  const documents = createMemoryDocuments();
  expect(settingsAttachments({ kiosk: true, documents, place: null })).toEqual([]);
  expect(settingsAttachments({ kiosk: false, documents, place: null })).toHaveLength(3);
});
