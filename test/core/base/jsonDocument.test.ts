import { describe, expect, it } from 'vitest';
import { JsonDocument } from '../../../src-main/core/base/jsonDocument.ts';
import { createTestPorts } from '../../support/ports.ts';

interface Content {
  readonly count: number;
}
const read = (value: unknown): Content | null =>
  typeof value === 'object' && value !== null && 'count' in value && typeof value.count === 'number'
    ? { count: value.count }
    : null;

function open(text?: string) {
  const { documents, logger } = createTestPorts();
  if (text !== undefined) documents.texts.set('things.json', text);
  const document = new JsonDocument({ documents, logger }, 'things', read);
  const aside = () => [...documents.texts].filter(([name]) => name !== 'things.json');
  return { documents, logger, document, aside };
}

describe('a JSON document', () => {
  it('comes back as it was written', async () => {
    const { document } = open();
    expect(await document.load()).toEqual({ kind: 'none' });
    expect(await document.save({ count: 3 })).toBe(true);
    expect(await document.load()).toEqual({ kind: 'stored', value: { count: 3 } });
  });

  it.each(['', '{', 'null', '[]', '{"count":"3"}'])(
    'that is damaged is set aside whole: %s',
    async (text) => {
      const { document, aside, logger } = open(text);
      expect(await document.load()).toEqual({ kind: 'damaged' });
      expect(aside()).toEqual([[expect.stringMatching(/^things-unreadable-[0-9a-f]{12}\.json$/), text]]);
      expect(logger.events()).toEqual(['document-set-aside']);
      // At each start until something is written: one copy all the same.
      expect(await document.load()).toEqual({ kind: 'damaged' });
      expect(aside()).toHaveLength(1);
      expect(await document.save({ count: 1 })).toBe(true);
    },
  );

  it('that the disk does not give is not written over, until it does', async () => {
    const { document, documents } = open('{"count":7}');
    const { read: give } = documents;
    documents.read = () => Promise.reject(new Error('EIO'));
    expect(await document.load()).toEqual({ kind: 'unread' });
    expect(await document.save({ count: 0 })).toBe(false);
    documents.read = give;
    expect(await document.load()).toEqual({ kind: 'stored', value: { count: 7 } });
    expect(await document.save({ count: 8 })).toBe(true);
  });

  it('says where it was not written, or not set aside', async () => {
    const { document, documents, logger } = open('{');
    documents.write = () => Promise.reject(new Error('ENOSPC'));
    expect(await document.load()).toEqual({ kind: 'damaged' });
    expect(await document.save({ count: 0 })).toBe(false);
    expect(logger.events()).toEqual(['document-not-set-aside', 'document-not-written']);
  });
});
