import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import type { UploadItem, UploadKey } from '../../../../src-main/core/features/uploads/item.ts';
import { readItem, writeItem } from '../../../../src-main/core/features/uploads/itemText.ts';
import { nextUpload, type UploadEvent } from '../../../../src-main/core/features/uploads/machine.ts';
import { undecided, unproven } from '../../../../src-main/core/features/uploads/messages.ts';
import { uploadView } from '../../../../src-main/core/features/uploads/uploadView.ts';
import { uploadSchema } from '../../../../src-preload/contract/index.ts';

const failure = makeFailure({ code: 'service-error', at: 1, status: 503, requestId: 'req-9' });
const refusal = makeFailure({ code: 'bad-request', at: 9, status: 422, requestId: 'req-7' });
const target = { path: '/storage', field: 'file', fields: [], incidentField: null };

const key = (value: string, attempts: number): UploadKey => ({
  value: value.repeat(48).slice(0, 48),
  boundary: 'field-console-boundary',
  target,
  boundTo: 'digest',
  attempts,
  anchor: attempts === 0 ? null : 500,
  unreadable: 0,
});

const fresh = key('f', 0);
const item = (change: Partial<UploadItem>): UploadItem => ({
  id: '00112233445566ff',
  fileName: 'photo.jpg',
  bytes: 3,
  addedAt: 10,
  incidentId: null,
  place: 1,
  step: 4,
  paused: false,
  sha256: 'ab',
  computed: [],
  key: null,
  endedKeys: [],
  phase: { state: 'queued', consented: false, newKey: false },
  ...change,
});

const confirmation = {
  at: 7,
  cid: 'c',
  verdict: 'match',
  profile: null,
  requestId: 'r',
  note: null,
} as const;
const question = { ...undecided.unproven, failure: null, sameAs: null, said: null } as const;

/** `used`: bytes may have left under its key. */
const states = {
  receiving: item({ sha256: null, phase: { state: 'receiving' } }),
  queued: item({}),
  queuedPaused: item({ paused: true }),
  queuedUsed: item({ key: key('a', 2) }),
  consentedUsed: item({ key: key('a', 2), phase: { state: 'queued', consented: true, newKey: false } }),
  newKeyUsed: item({ key: key('a', 2), phase: { state: 'queued', consented: true, newKey: true } }),
  sendingFirst: item({ key: key('a', 1), phase: { state: 'sending' } }),
  sendingUsed: item({ key: key('a', 3), phase: { state: 'sending' } }),
  waitingUnused: item({ key: key('a', 0), phase: { state: 'waiting', failure, until: 20 } }),
  waitingOnce: item({ key: key('a', 1), phase: { state: 'waiting', failure, until: 20 } }),
  waitingUsed: item({ key: key('a', 2), phase: { state: 'waiting', failure, until: 20 } }),
  sent: item({ key: key('a', 1), phase: { state: 'sent', ...confirmation } }),
  unproven: item({ key: key('a', 2), phase: { state: 'unproven', ...confirmation, note: unproven.noCid } }),
  otherBytes: item({
    key: key('a', 2),
    phase: { state: 'needs-decision', decision: 'other-bytes', ...question, said: confirmation },
  }),
  unknown: item({
    key: key('a', 2),
    phase: { state: 'needs-decision', decision: 'outcome-unknown', ...question },
  }),
  stopped: item({ key: key('a', 2), phase: { state: 'needs-decision', decision: 'stopped', ...question } }),
  sameBytes: item({
    phase: { state: 'needs-decision', decision: 'same-bytes', ...question, sameAs: 'other.jpg' },
  }),
  failed: item({ phase: { state: 'failed', failure: refusal } }),
  failedUnused: item({ key: key('a', 0), phase: { state: 'failed', failure: refusal } }),
  failedUncopied: item({ sha256: null, phase: { state: 'failed', failure: refusal } }),
} as const satisfies Record<string, UploadItem>;

const facts = { bytes: 3, sha256: 'cd', computed: [] };
const events = {
  received: { kind: 'received', facts, key: key('r', 0), twin: null },
  receivedTwin: {
    kind: 'received',
    facts,
    key: key('r', 0),
    twin: { fileName: 'other.jpg', undecided: undecided.stopped },
  },
  notReceived: { kind: 'not-received', failure },
  begin: { kind: 'begin', fresh, young: true, anchor: 600, at: 8 },
  beginOld: { kind: 'begin', fresh, young: false, anchor: 600, at: 8 },
  notLeft: { kind: 'not-left', failure, until: 30 },
  unanswered: { kind: 'unanswered', failure, until: 30, unreadable: false },
  unreadable: { kind: 'unanswered', failure, until: 30, unreadable: true },
  sent: { kind: 'sent', ...confirmation },
  unproven: { kind: 'unproven', ...confirmation, note: unproven.later },
  otherBytes: { kind: 'other-bytes', ...confirmation },
  refused: { kind: 'refused', failure: refusal },
  damaged: { kind: 'damaged', failure },
  stoppedUnsent: { kind: 'stopped', failure, left: false },
  stoppedLeft: { kind: 'stopped', failure, left: true },
  interruptedUnsent: { kind: 'interrupted', failure, left: false },
  interruptedLeft: { kind: 'interrupted', failure, left: true },
  pause: { kind: 'pause', paused: true },
  resume: { kind: 'pause', paused: false },
  retry: { kind: 'retry', at: 8 },
  send: { kind: 'send' },
  found: { kind: 'found', ...confirmation },
  erased: { kind: 'erased' },
  notFound: { kind: 'not-found', undecided: undecided.notFound },
  restarted: { kind: 'restarted', failure },
  rebuilt: { kind: 'rebuilt' },
  notBound: { kind: 'not-bound', at: 8 },
} as const satisfies Record<string, UploadEvent>;

type S = keyof typeof states;
type E = keyof typeof events;
interface Expected {
  readonly state: UploadItem['phase']['state'];
  readonly decision?: string;
  /** First letter of the key, and its attempts; null for none. */
  readonly key?: readonly [string, number] | null;
  readonly ended?: readonly string[];
  /** Of what is queued: whether the operator agreed to send it again. */
  readonly consented?: boolean;
  /** Answers under its key that could not be read. */
  readonly unreadable?: number;
  readonly paused?: boolean;
}

const asks = (decision: string, change: Partial<Expected> = {}): Expected => ({
  state: 'needs-decision',
  decision,
  ...change,
});
const failed: Expected = { state: 'failed' };
const paused = (state: Expected['state']): Expected => ({ state, paused: true });
const notBound = asks('outcome-unknown', { key: null, ended: ['not-bound'] });
const unbound = (state: Expected['state']): Expected => ({ state, key: null, ended: ['not-bound'] });

/** Every transition; what is not named stays as it is. */
const table: Record<S, Partial<Record<E, Expected>>> = {
  receiving: {
    received: { state: 'queued', key: ['r', 0] },
    receivedTwin: asks('same-bytes', { key: ['r', 0] }),
    notReceived: failed,
    stoppedUnsent: failed,
    stoppedLeft: failed,
    pause: paused('receiving'),
    restarted: failed,
  },
  queued: {
    begin: { state: 'sending', key: ['f', 1] },
    beginOld: { state: 'sending', key: ['f', 1] },
    damaged: failed,
    stoppedUnsent: failed,
    stoppedLeft: failed,
    pause: paused('queued'),
  },
  queuedPaused: {
    damaged: failed,
    stoppedUnsent: failed,
    stoppedLeft: failed,
    resume: { state: 'queued', paused: false },
  },
  queuedUsed: {
    begin: { state: 'sending', key: ['a', 3] },
    beginOld: asks('outcome-unknown', { key: ['a', 2] }),
    damaged: asks('outcome-unknown'),
    stoppedUnsent: asks('stopped'),
    stoppedLeft: asks('stopped'),
    pause: paused('queued'),
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  consentedUsed: {
    begin: { state: 'sending', key: ['a', 3] },
    beginOld: { state: 'sending', key: ['f', 1], ended: ['sent-anew'] },
    damaged: asks('outcome-unknown'),
    stoppedUnsent: asks('stopped'),
    stoppedLeft: asks('stopped'),
    pause: { ...paused('queued'), consented: true },
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  newKeyUsed: {
    begin: { state: 'sending', key: ['f', 1], ended: ['sent-anew'] },
    beginOld: { state: 'sending', key: ['f', 1], ended: ['sent-anew'] },
    damaged: asks('outcome-unknown'),
    stoppedUnsent: asks('stopped'),
    stoppedLeft: asks('stopped'),
    pause: { ...paused('queued'), consented: true },
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  sendingFirst: {
    notLeft: { state: 'waiting', key: ['a', 0] },
    unanswered: { state: 'waiting', key: ['a', 1] },
    unreadable: { state: 'waiting', key: ['a', 1], unreadable: 1 },
    sent: { state: 'sent' },
    unproven: { state: 'unproven' },
    otherBytes: asks('other-bytes'),
    refused: { state: 'failed', key: null, ended: ['refused'] },
    damaged: failed,
    stoppedUnsent: failed,
    stoppedLeft: asks('stopped'),
    interruptedUnsent: { state: 'queued', key: ['a', 0] },
    interruptedLeft: { state: 'waiting', key: ['a', 1] },
    pause: paused('sending'),
    restarted: { state: 'waiting', key: ['a', 1] },
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  sendingUsed: {
    notLeft: { state: 'waiting', key: ['a', 2] },
    unanswered: { state: 'waiting', key: ['a', 3] },
    unreadable: { state: 'waiting', key: ['a', 3], unreadable: 1 },
    sent: { state: 'sent' },
    unproven: { state: 'unproven' },
    otherBytes: asks('other-bytes'),
    refused: { state: 'failed', key: null, ended: ['refused'] },
    damaged: asks('outcome-unknown'),
    stoppedUnsent: asks('stopped', { key: ['a', 2] }),
    stoppedLeft: asks('stopped', { key: ['a', 3] }),
    interruptedUnsent: { state: 'queued', key: ['a', 2] },
    interruptedLeft: { state: 'waiting', key: ['a', 3] },
    pause: paused('sending'),
    restarted: { state: 'waiting', key: ['a', 3] },
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  waitingUnused: {
    begin: { state: 'sending', key: ['a', 1] },
    beginOld: { state: 'sending', key: ['a', 1] },
    damaged: failed,
    stoppedUnsent: failed,
    stoppedLeft: failed,
    pause: paused('waiting'),
    notBound: unbound('waiting'),
  },
  waitingOnce: {
    begin: { state: 'sending', key: ['a', 2] },
    beginOld: asks('outcome-unknown', { key: ['a', 1] }),
    damaged: asks('outcome-unknown'),
    stoppedUnsent: asks('stopped', { key: ['a', 1] }),
    stoppedLeft: asks('stopped', { key: ['a', 1] }),
    pause: paused('waiting'),
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  waitingUsed: {
    begin: { state: 'sending', key: ['a', 3] },
    beginOld: asks('outcome-unknown', { key: ['a', 2] }),
    damaged: asks('outcome-unknown'),
    stoppedUnsent: asks('stopped'),
    stoppedLeft: asks('stopped'),
    pause: paused('waiting'),
    rebuilt: asks('outcome-unknown'),
    notBound,
  },
  sent: {},
  unproven: {
    send: { state: 'queued', key: ['a', 2], consented: true },
    found: { state: 'sent' },
    erased: { state: 'sent' },
    notFound: { state: 'unproven' },
    damaged: asks('outcome-unknown'),
    notBound: unbound('unproven'),
  },
  otherBytes: {
    send: { state: 'queued', key: ['a', 2], consented: true },
    found: { state: 'sent' },
    notFound: asks('other-bytes'),
    notBound: asks('other-bytes', { key: null, ended: ['not-bound'] }),
  },
  unknown: {
    send: { state: 'queued', key: ['a', 2], consented: true },
    found: { state: 'sent' },
    notFound: asks('outcome-unknown'),
    notBound,
  },
  stopped: {
    send: { state: 'queued', key: ['a', 2], consented: true },
    found: { state: 'sent' },
    notFound: asks('stopped'),
    notBound: asks('stopped', { key: null, ended: ['not-bound'] }),
  },
  sameBytes: {
    stoppedUnsent: failed,
    stoppedLeft: failed,
    send: { state: 'queued' },
  },
  failed: { retry: { state: 'queued', key: null } },
  failedUnused: {
    retry: { state: 'queued', key: null, ended: ['sent-anew'] },
    notBound: unbound('failed'),
  },
  failedUncopied: {},
};

describe('the machine of an upload', () => {
  for (const state of Object.keys(states) as S[]) {
    for (const event of Object.keys(events) as E[]) {
      const expected: Expected | undefined = table[state][event];
      it(`${state} on ${event}: ${expected?.state ?? 'stays'}`, () => {
        const before = states[state];
        const after = nextUpload(before, events[event]);
        if (expected === undefined) {
          expect(after).toBe(before);
          return;
        }
        expect(after).not.toBe(before);
        expect(after.phase.state).toBe(expected.state);
        if (after.phase.state === 'needs-decision') expect(after.phase.decision).toBe(expected.decision);
        if (after.phase.state === 'queued') expect(after.phase.consented).toBe(expected.consented ?? false);
        if (after.key !== null) expect(after.key.unreadable).toBe(expected.unreadable ?? 0);
        if (expected.key !== undefined) {
          const shown = after.key === null ? null : [after.key.value[0], after.key.attempts];
          expect(shown).toEqual(expected.key);
        }
        expect(after.endedKeys.map(({ end }) => end)).toEqual(expected.ended ?? []);
        expect(after.paused).toBe(expected.paused ?? false);
        expect(uploadSchema.safeParse(uploadView(after, null)).success).toBe(true);
        expect(uploadSchema.safeParse(uploadView(after, 'offline')).success).toBe(true);
        expect(readItem(after.id, writeItem(after))).toEqual(after);
      });
    }
  }

  it('has no copy in one state only, and the others that an answer leads to keep it', () => {
    const answered = [events.sent, events.unproven, events.otherBytes].map((event) =>
      nextUpload(states.sendingFirst, event),
    );
    expect(answered.map(({ phase }) => phase.state)).toEqual(['sent', 'unproven', 'needs-decision']);
    expect(uploadView(states.otherBytes, null)).toMatchObject({ cid: 'c', requestId: 'r', sentAt: 7 });
    expect(nextUpload(states.unproven, events.send).phase).toMatchObject({ newKey: true });
    expect(nextUpload(states.otherBytes, events.send).phase).toMatchObject({ newKey: true });
    expect(nextUpload(states.unknown, events.send).phase).toMatchObject({ newKey: false });
  });

  it('anchors a key at its first attempt and never later', () => {
    const first = nextUpload(states.queued, events.begin);
    expect(first.key?.anchor).toBe(600);
    expect(nextUpload(states.waitingUsed, events.begin).key?.anchor).toBe(500);
    expect(nextUpload(states.sendingUsed, events.notLeft).key?.anchor).toBe(500);
    const unsent = nextUpload(first, events.notLeft);
    expect(unsent.key).toMatchObject({ attempts: 0, anchor: null });
    const again = nextUpload(unsent, { ...events.begin, anchor: 700 });
    expect(again.key).toMatchObject({ value: first.key?.value, boundary: first.key?.boundary, anchor: 700 });
    expect(nextUpload(states.queued, { ...events.begin, anchor: null }).key?.anchor).toBeNull();
  });

  it('keeps the value of an unused key, and takes the target of a changed deployment file', () => {
    const target = { path: '/storage', field: 'upload', fields: [], incidentField: null };
    const changed = { ...events.begin, fresh: { ...fresh, boundary: 'another', target } };
    const unused = nextUpload(item({ key: key('a', 0) }), changed);
    expect(unused.key).toMatchObject({ value: key('a', 0).value, boundary: 'another', target });
    expect(nextUpload(states.waitingUsed, changed).key).toMatchObject({ boundary: key('a', 2).boundary });
  });

  it('spends the operator’s consent on one attempt', () => {
    const sending = nextUpload(states.consentedUsed, events.begin);
    const waiting = nextUpload(sending, events.unanswered);
    expect(nextUpload(waiting, events.beginOld).phase.state).toBe('needs-decision');
  });

  it('records what ended a key', () => {
    const { endedKeys } = nextUpload(states.sendingFirst, events.refused);
    const [ended] = endedKeys;
    expect(ended).toEqual({
      value: key('a', 1).value,
      attempts: 1,
      end: 'refused',
      status: 422,
      requestId: 'req-7',
      at: 9,
    });
  });

  it('does not let the record of keys grow without bound', () => {
    let one: UploadItem = states.sendingFirst;
    for (let round = 0; round < 150; round += 1) {
      one = nextUpload(nextUpload({ ...one, phase: { state: 'sending' } }, events.refused), events.retry);
      one = nextUpload(one, events.begin);
    }
    expect(one.endedKeys).toHaveLength(100);
  });

  it('reads nothing that it did not write', () => {
    const text = writeItem(states.waitingUsed);
    expect(readItem('0011223344556600', text)).toBeNull();
    expect(readItem(states.sent.id, text.slice(1))).toBeNull();
    expect(readItem(states.sent.id, text.replace('"version":1', '"version":2'))).toBeNull();
    expect(readItem(states.sent.id, text.replace('"attempts":2', '"attempts":-2'))).toBeNull();
    expect(readItem(states.sent.id, null)).toBeNull();
  });
});
