import { describe, expect, it } from 'vitest';
import { type EvidenceItem, type Failure, type Upload } from '../../../../src-preload/contract/index.ts';
import { shortCid, shortId, verdictSentence } from '../../../../src-renderer/base/cids.ts';
import {
  evidenceCount,
  evidenceDoubts,
  fieldText,
  itemFacts,
  itemName,
} from '../../../../src-renderer/features/evidence/evidenceText.ts';
import {
  actionsOf,
  actionWords,
  countWords,
  discardSentences,
  factsText,
  leftText,
  movingText,
  namedAction,
  percentOf,
  rateText,
  standstill,
  stateWords,
  troubled,
  untilText,
} from '../../../../src-renderer/features/uploads/uploadText.ts';
import { ordinary } from '../../../support/messages.ts';

const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const noon = Date.UTC(2026, 10, 21, 12);
const cutOff: Failure = {
  code: 'copy-cut-off',
  sentence: { text: 'Cut off.' },
  remedy: null,
  status: null,
  requestId: null,
  words: null,
  at: noon,
  retryAt: null,
};
const upload = (change: Partial<Upload> = {}): Upload => ({
  id: '0123456789abcdef',
  fileName: 'levee.jpg',
  bytes: 4_812_331,
  addedAt: noon,
  state: 'queued',
  paused: false,
  awaitsLink: false,
  why: null,
  remedy: null,
  until: null,
  failure: null,
  decision: null,
  attempts: 0,
  sha256: 'ab',
  computed: [],
  cid: null,
  verdict: null,
  profile: null,
  requestId: null,
  sentAt: null,
  sameAs: null,
  incidentId: null,
  ...change,
});
const counts = {
  receiving: 0,
  queued: 0,
  sending: 0,
  waiting: 0,
  sent: 0,
  unproven: 0,
  'needs-decision': 0,
  failed: 0,
};

const said = (of: typeof counts): string[] => countWords(of).map(({ words }) => words);

describe('an upload in words', () => {
  it('names its state as the interface does', () => {
    expect((Object.keys(counts) as (keyof typeof counts)[]).map(stateWords)).toEqual([
      'Copying',
      'Queued',
      'Sending',
      'Waiting',
      'Sent',
      'Not proven',
      'Needs decision',
      'Failed',
    ]);
  });

  it('counts by state, those that need somebody first', () => {
    expect(said(counts)).toEqual([]);
    expect(said({ ...counts, sent: 1_041, unproven: 4, failed: 2, 'needs-decision': 1, sending: 1 })).toEqual(
      ['1 needs a decision', '2 failed', '4 not proven', '1 sending', '1,041 sent'],
    );
    expect(said({ ...counts, 'needs-decision': 3 })).toEqual(['3 need a decision']);
    expect(troubled({ ...counts, waiting: 9, failed: 2, 'needs-decision': 1 })).toBe(3);
  });

  it.each([
    [0, 10, 0],
    [999, 1_000, 99],
    [1_000, 1_000, 100],
    [0, 0, 100],
    [2_000, 1_000, 100],
  ])('is %d of %d bytes: %d per cent', (done, total, percent) => {
    expect(percentOf({ done, total })).toBe(percent);
  });

  it('says how fast it moves and how long it takes, where that is known', () => {
    expect(rateText(3_100_000)).toBe('3.1 MB/s');
    expect(ordinary(leftText(0))).toBe('1 s left');
    expect(ordinary(leftText(89.2))).toBe('1 min left');
    const moving = { id: '', direction: 'sending', done: 588, total: 1_400 } as const;
    expect(ordinary(movingText({ ...moving, bytesPerSecond: 98, secondsLeft: 8.3 }))).toBe(
      '42% of 1.4 kB · 98 B/s · 9 s left',
    );
    expect(movingText({ ...moving, bytesPerSecond: null, secondsLeft: null })).toBe('42% of 1.4 kB');
    const long = { ...moving, bytesPerSecond: null, secondsLeft: 2_580 };
    expect(movingText({ ...long, direction: 'sending' })).toMatch(
      /43\Wmin left · a break starts again from 0$/,
    );
    expect(movingText({ ...long, direction: 'receiving' })).toMatch(/43\Wmin left$/);
  });

  it('says when it goes on', () => {
    expect(untilText(null, noon, 'utc')).toBe('');
    expect(ordinary(untilText(noon + 41_500, noon, 'utc'))).toBe('Continues at 12:00:41 UTC, in 42 s');
    expect(untilText(noon, noon, 'utc')).toBe('Continues in a moment');
  });

  it('says what it is at a glance', () => {
    expect(factsText(upload(), noon, 'utc')).toBe('4.8 MB · added 12:00 UTC');
    expect(factsText(upload({ paused: true }), noon, 'utc')).toBe('4.8 MB · paused · added 12:00 UTC');
    const sent = upload({ state: 'sent', sentAt: noon + 60_000 });
    expect(factsText(sent, noon, 'utc')).toBe('4.8 MB · 12:01 UTC');
    expect(factsText({ ...sent, verdict: 'match' }, noon, 'utc')).toBe('4.8 MB');
  });
});

describe('what can be done about an upload', () => {
  it.each([
    [{ state: 'receiving' }, ['cancel']],
    [{ state: 'sending' }, ['pause', 'cancel']],
    [{ state: 'queued' }, ['pause', 'top', 'up', 'down', 'cancel', 'discard']],
    [{ state: 'waiting', paused: true }, ['resume', 'top', 'up', 'down', 'cancel', 'discard']],
    [{ state: 'sent' }, ['discard']],
    [{ state: 'failed' }, ['retry', 'discard']],
    [{ state: 'failed', sha256: null }, ['discard']],
    [{ state: 'failed', sha256: null, failure: cutOff }, ['choose', 'discard']],
    [{ state: 'needs-decision', decision: 'outcome-unknown' }, ['check', 'send', 'discard']],
    [{ state: 'needs-decision', decision: 'stopped' }, ['check', 'send', 'discard']],
    [{ state: 'needs-decision', decision: 'same-bytes' }, ['send', 'discard']],
  ] as const)('follows from its state: %o', (change, actions) => {
    expect(actionsOf(upload(change))).toEqual(actions);
  });

  it('is named for what it does', () => {
    expect(actionWords('send', upload({ decision: 'outcome-unknown' }))).toBe('Send again');
    expect(actionWords('send', upload({ decision: 'same-bytes' }))).toBe('Send anyway');
    expect(actionWords('discard', upload({ state: 'sent' }))).toBe('Take off the list');
    expect(actionWords('discard', upload({ state: 'failed' }))).toBe('Discard');
    const named = upload({ decision: 'outcome-unknown' });
    expect((['pause', 'send', 'discard', 'up'] as const).map((action) => namedAction(action, named))).toEqual(
      [...['Pause levee.jpg', 'Send again: levee.jpg', 'Discard levee.jpg', 'Move up']],
    );
    expect(namedAction('send', upload({ decision: 'same-bytes' }))).toBe('Send anyway: levee.jpg');
  });

  it('says of what may have arrived that it may have', () => {
    const may = /without an answer, and may have arrived/;
    for (const change of [
      { state: 'needs-decision', decision: 'outcome-unknown', attempts: 2 },
      { state: 'needs-decision', decision: 'stopped', attempts: 1 },
      { state: 'waiting', attempts: 1 },
    ] as const) {
      expect(discardSentences(upload(change)).join(' ')).toMatch(may);
    }
    for (const change of [
      { state: 'queued' },
      { state: 'waiting' },
      { state: 'failed', attempts: 1 },
      { state: 'needs-decision', decision: 'same-bytes' },
      { state: 'sent', attempts: 1 },
    ] as const) {
      expect(discardSentences(upload(change)).join(' ')).not.toMatch(may);
    }
    // What an operator erased unproven is "sent" too: nothing is said of the service.
    expect(discardSentences(upload({ state: 'sent' })).join(' ')).not.toMatch(/service/);
  });
});

it('says why an outbox stands still, the operator’s own wish first', () => {
  const outbox = { paused: false, unsent: 3 };
  expect(standstill(outbox, 'online', true)).toBeNull();
  expect(standstill(outbox, 'degraded', true)).toBeNull();
  expect(standstill(outbox, 'offline', true)?.then).toBe('Sending resumes when the link is back.');
  expect(standstill(outbox, 'unknown', false)?.then).toBe('Sending resumes when the link is back.');
  expect(standstill({ ...outbox, paused: true }, 'offline', false)?.what).toBe('Paused.');
});

describe('CIDs', () => {
  it('are shortened in the middle, and told apart by both ends', () => {
    expect(shortCid(cid)).toBe('bafybeig…y55fbzdi');
    expect(shortCid('bafkqaaa')).toBe('bafkqaaa');
    expect(shortId('incident-00000000002')).toBe('incide…000002');
    expect(shortId('id-7')).toBe('id-7');
  });
  it('are never called wrong because they cannot be checked', () => {
    expect(verdictSentence('match', 'v0-256k')).toMatch(/the same \(CIDv0, 256 KiB chunks\)/);
    expect(verdictSentence('differs', null)).toMatch(/of other bytes/);
    expect(verdictSentence('not-verifiable', null)).toMatch(/says nothing about the bytes/);
  });
});

describe('an item of evidence', () => {
  const item = (fields: Record<string, unknown>): EvidenceItem => ({
    key: 1,
    cid,
    incidentId: null,
    content: null,
    at: null,
    fields: Object.entries(fields).map(([name, value]) => ({ name, json: JSON.stringify(value) })),
  });
  it('is called by the field that looks most like a file’s name', () => {
    expect(itemName(item({ title: 'Levee', file_name: 'a.jpg' }))).toBe('a.jpg');
    expect(itemName(item({ 'Original-Name': 'b.jpg' }))).toBe('b.jpg');
    expect(itemName(item({ name: '  ', description: 'North' }))).toBe('North');
    expect(itemName(item({ name: 7, other: 'x' }))).toBeNull();
  });
  it('shows its kind and size where it has them', () => {
    expect(itemFacts(item({ mime_type: 'image/jpeg', size: 4_812_331 }))).toEqual(['image/jpeg', '4.8 MB']);
    expect(itemFacts(item({ size: 'large', bytes: -1 }))).toEqual([]);
  });
  it('shows every value as text, also one that was cut on its way', () => {
    expect(fieldText({ name: 'a', json: '"<b>x</b>"' })).toBe('<b>x</b>');
    expect(fieldText({ name: 'a', json: '{"b":1}' })).toBe('{"b":1}');
    expect(fieldText({ name: 'a', json: '"cut in the mid' })).toBe('"cut in the mid');
  });
});

it('says what of the list of evidence is worth what', () => {
  expect(evidenceCount({ count: 1_204, complete: true })).toBe('1,204 items');
  expect(evidenceCount({ count: 1, complete: true })).toBe('1 item');
  expect(evidenceCount({ count: 200, complete: false })).toBe('At least 200 items');
  expect(evidenceDoubts({ unreadable: 0, withoutCid: 0 })).toEqual([]);
  expect(evidenceDoubts({ unreadable: 1, withoutCid: 2 })).toEqual([
    '1 entry could not be read and is left out.',
    '2 items have no valid CID.',
  ]);
});
