import type { Failure, UploadDecision } from '../../../../src-preload/contract/index.ts';
import { sameValue } from '../../base/json.ts';
import type { SpooledFacts } from '../../vault/records.ts';
import {
  attemptsOf,
  type Confirmation,
  type KeyEnd,
  type UploadItem,
  type UploadKey,
  type UploadPhase,
} from './item.ts';
import { notes, undecided, type Undecided } from './messages.ts';

/**
 * The state machine of one upload. Pure: other files have the effects (attempt.ts, dispatch.ts).
 *
 *   receiving ──received──► queued ──begin──► sending ──sent──► sent ◄──found, erased── unproven
 *       │                    ▲  ▲               │ │ │             ▲                      ▲  │
 *       │ same bytes    send │  │ begin,    refused │ unanswered  │ found                │  │ send, with a new key
 *       │                    │  │ when due ┌────┘ │ ▼             │     2xx without proof │  ▼
 *       │                    │  └──────────│─ waiting             │                sending  queued
 *       └──────────────► needs-decision ◄──│────┴── outcome unknown and key too old, stopped,
 *       │                    │             │        known of only by its sidecar, or a CID of other bytes
 *       │ not-received       │ stopped     ▼
 *       └────────────────────┴─────────► failed ──retry, with a new key──► queued
 *
 * A key is used from `received` (after a retry, from the first `begin`) until the service refuses it, or an operator
 * sends the file again with a new key. While its outcome is unknown each `begin` uses it again, if it is proven to be
 * young enough (`young`). `sent` is final, and the only state without a copy. Stopping an upload that may have arrived (`attempts` > 0) leads to a
 * decision, never to `failed`.
 */
export type UploadEvent =
  /** `key`: for the first attempt. A restored older copy of the data folder uses it again. */
  | {
      readonly kind: 'received';
      readonly facts: SpooledFacts;
      readonly key: UploadKey;
      readonly twin: Twin | null;
    }
  | { readonly kind: 'not-received'; readonly failure: Failure }
  | {
      readonly kind: 'begin';
      /** For an item that needs a key and has no attempt yet. */
      readonly fresh: UploadKey;
      /** Whether the present key is proven to be young enough. */
      readonly young: boolean;
      /** The service's time, if it is verified. */
      readonly anchor: number | null;
      readonly at: number;
    }
  /** Proven: no byte was sent. */
  | { readonly kind: 'not-left'; readonly failure: Failure; readonly until: number | null }
  | {
      readonly kind: 'unanswered';
      readonly failure: Failure;
      readonly until: number | null;
      /** It was a success with an unreadable answer. */
      readonly unreadable: boolean;
    }
  /** A 2xx whose CID is one of those computed here. */
  | ({ readonly kind: 'sent' } & Confirmation)
  /** A 2xx that does not prove that the service has these bytes. */
  | ({ readonly kind: 'unproven' } & Confirmation)
  /** A 2xx whose CID is of other bytes. */
  | ({ readonly kind: 'other-bytes' } & Confirmation)
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The spooled bytes are damaged or missing: the body was not sent completely. */
  | { readonly kind: 'damaged'; readonly failure: Failure }
  /** The operator cancels. `left`: bytes of the running attempt were sent. */
  | { readonly kind: 'stopped'; readonly failure: Failure; readonly left: boolean }
  /** A pause, or the end of the account, ended the running attempt. */
  | { readonly kind: 'interrupted'; readonly failure: Failure; readonly left: boolean }
  | { readonly kind: 'pause'; readonly paused: UploadItem['paused'] }
  | { readonly kind: 'retry'; readonly at: number }
  | { readonly kind: 'send' }
  | ({ readonly kind: 'found' } & Confirmation)
  /** The operator erases the copy of one that is not proven. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'not-found'; readonly undecided: Undecided }
  /** Loaded after the console ended, for any reason. */
  | { readonly kind: 'restarted'; readonly failure: Failure }
  /** Its row was lost, and the sidecar replaced it. */
  | { readonly kind: 'rebuilt' }
  /** Its key was made for other bytes, another account or another address. */
  | { readonly kind: 'not-bound'; readonly at: number };

/** Another upload of the same bytes. */
export interface Twin {
  readonly fileName: string;
  readonly undecided: Undecided;
}

/** Limits the size of an item that is sent repeatedly. */
const mostEndedKeys = 100;

/** The item after `event`; the same object where the event has no effect. */
export function nextUpload(item: UploadItem, event: UploadEvent): UploadItem {
  const { phase } = item;
  switch (event.kind) {
    case 'received':
      return phase.state === 'receiving' ? received(item, event) : item;
    case 'not-received':
      return phase.state === 'receiving' ? fail(item, event.failure) : item;
    case 'begin':
      return begin(item, event);
    case 'not-left':
      if (phase.state !== 'sending') return item;
      return wait(uncounted(item), event.failure, event.until);
    case 'unanswered':
      if (phase.state !== 'sending') return item;
      return wait(event.unreadable ? countUnreadable(item) : item, event.failure, event.until);
    case 'sent':
      return phase.state === 'sending' ? confirm(item, event) : item;
    case 'unproven':
      return phase.state === 'sending' ? confirm(item, event, 'unproven') : item;
    case 'other-bytes':
      return phase.state === 'sending' ? askAbout(item, event) : item;
    case 'refused':
      if (phase.state !== 'sending') return item;
      return fail(endKey(item, 'refused', event.failure, event.failure.at), event.failure);
    case 'damaged':
      return damaged(item, event.failure);
    case 'stopped':
      return stopped(item, event);
    case 'interrupted':
      if (phase.state !== 'sending') return item;
      return event.left ? wait(item, event.failure, null) : queue(uncounted(item));
    case 'pause':
      if (item.paused === event.paused || !canPause(phase)) return item;
      return { ...item, paused: event.paused };
    case 'retry':
      if (phase.state !== 'failed' || item.sha256 === null) return item;
      return queue(endKey(item, 'sent-anew', null, event.at));
    case 'send':
      return send(item);
    case 'found':
      // What the service answered stays, and says how far it can be compared.
      if (phase.state === 'unproven') return confirm(item, { ...phase, note: event.note });
      return isUnknown(phase) ? confirm(item, event) : item;
    case 'erased':
      return phase.state === 'unproven' ? confirm(item, { ...phase, note: notes.erased }) : item;
    case 'not-found':
      if (phase.state === 'unproven') return { ...item, phase: { ...phase, note: event.undecided.why } };
      return isUnknown(phase) ? { ...item, phase: { ...phase, ...event.undecided } } : item;
    case 'restarted':
      if (phase.state === 'receiving') return fail(item, event.failure);
      return phase.state === 'sending' ? wait(item, event.failure, null) : item;
    case 'rebuilt':
      return isActive(phase) && attemptsOf(item) > 0
        ? ask(item, 'outcome-unknown', undecided.rebuilt, null)
        : item;
    case 'not-bound':
      return notBound(item, event.at);
  }
}

const isUnknown = (phase: UploadPhase): phase is Extract<UploadPhase, { state: 'needs-decision' }> =>
  phase.state === 'needs-decision' && phase.decision !== 'same-bytes';

const isActive = ({ state }: UploadPhase): boolean =>
  state === 'queued' || state === 'sending' || state === 'waiting';

const canPause = (phase: UploadPhase): boolean => isActive(phase) || phase.state === 'receiving';

const queue = (item: UploadItem, { consented = false, newKey = false } = {}): UploadItem => ({
  ...item,
  phase: { state: 'queued', consented, newKey },
});

/** The operator wants it sent. A key that the service has answered would only bring the same answer. */
function send(item: UploadItem): UploadItem {
  const { phase } = item;
  if (phase.state === 'unproven') return queue(item, { consented: true, newKey: true });
  if (phase.state !== 'needs-decision') return item;
  return queue(item, {
    consented: phase.decision !== 'same-bytes',
    newKey: phase.decision === 'other-bytes',
  });
}

const fail = (item: UploadItem, failure: Failure): UploadItem => ({
  ...item,
  paused: false,
  phase: { state: 'failed', failure },
});

const wait = (item: UploadItem, failure: Failure, until: number | null): UploadItem => ({
  ...item,
  phase: { state: 'waiting', failure, until },
});

const confirm = (item: UploadItem, said: Confirmation, state: 'sent' | 'unproven' = 'sent'): UploadItem => ({
  ...item,
  paused: false,
  phase: { state, ...answerIn(said) },
});

/** Without the event's other members. */
const answerIn = ({ at, cid, verdict, profile, requestId, note }: Confirmation): Confirmation => ({
  at,
  cid,
  verdict,
  profile,
  requestId,
  note,
});

function askAbout(item: UploadItem, said: Confirmation): UploadItem {
  const asked = { decision: 'other-bytes', failure: null, sameAs: null, said: answerIn(said) } as const;
  return { ...item, paused: false, phase: { state: 'needs-decision', ...asked, ...undecided.otherBytes } };
}

function ask(
  item: UploadItem,
  decision: UploadDecision,
  said: Undecided,
  failure: Failure | null,
  sameAs: string | null = null,
): UploadItem {
  return {
    ...item,
    paused: false,
    phase: { state: 'needs-decision', decision, ...said, failure, sameAs, said: null },
  };
}

function received(item: UploadItem, event: Extract<UploadEvent, { kind: 'received' }>): UploadItem {
  const { facts, key, twin } = event;
  const whole = { ...item, sha256: facts.sha256, computed: facts.computed, key };
  return twin === null ? queue(whole) : ask(whole, 'same-bytes', twin.undecided, null, twin.fileName);
}

function begin(item: UploadItem, event: Extract<UploadEvent, { kind: 'begin' }>): UploadItem {
  const { phase } = item;
  if (item.paused !== false || (phase.state !== 'queued' && phase.state !== 'waiting')) return item;
  const { consented, newKey } = phase.state === 'queued' ? phase : { consented: false, newKey: false };
  const isUsed = attemptsOf(item) > 0;
  if (isUsed && !event.young && !consented) return ask(item, 'outcome-unknown', undecided.unproven, null);
  const kept = isUsed && (!event.young || newKey) ? endKey(item, 'sent-anew', null, event.at) : item;
  const key = kept.key === null ? event.fresh : refreshed(kept.key, event.fresh);
  const anchor = key.attempts === 0 ? event.anchor : key.anchor;
  return { ...kept, key: { ...key, attempts: key.attempts + 1, anchor }, phase: { state: 'sending' } };
}

/** For an unused key after a change of the deployment file: its request follows the present file. */
function refreshed(key: UploadKey, fresh: UploadKey): UploadKey {
  if (key.attempts > 0 || sameValue(key.target, fresh.target)) return key;
  return { ...fresh, value: key.value };
}

function damaged(item: UploadItem, failure: Failure): UploadItem {
  const { phase } = item;
  if (phase.state === 'unproven') return ask(item, 'outcome-unknown', undecided.damaged, failure);
  if (!isActive(phase)) return item;
  // The running attempt never had a complete body, so it had no effect. Earlier ones may have had one.
  const before = attemptsOf(item) - (phase.state === 'sending' ? 1 : 0);
  return before > 0 ? ask(item, 'outcome-unknown', undecided.damaged, failure) : fail(item, failure);
}

function stopped(item: UploadItem, event: Extract<UploadEvent, { kind: 'stopped' }>): UploadItem {
  const { phase } = item;
  if (phase.state === 'receiving') return fail(item, event.failure);
  if (phase.state === 'needs-decision') {
    return phase.decision === 'same-bytes' ? fail(item, event.failure) : item;
  }
  if (!isActive(phase)) return item;
  const counted = phase.state === 'sending' && !event.left ? uncounted(item) : item;
  return attemptsOf(counted) > 0
    ? ask(counted, 'stopped', undecided.stopped, null)
    : fail(counted, event.failure);
}

/** Without the running attempt, which sent nothing. Its key stays. */
function uncounted(item: UploadItem): UploadItem {
  if (item.key === null) return item;
  const attempts = Math.max(0, item.key.attempts - 1);
  return { ...item, key: { ...item.key, attempts, anchor: attempts === 0 ? null : item.key.anchor } };
}

const countUnreadable = (item: UploadItem): UploadItem =>
  item.key === null ? item : { ...item, key: { ...item.key, unreadable: item.key.unreadable + 1 } };

function endKey(item: UploadItem, end: KeyEnd, why: Failure | null, at: number): UploadItem {
  if (item.key === null) return item;
  const { value, attempts } = item.key;
  const ended = { value, attempts, end, status: why?.status ?? null, requestId: why?.requestId ?? null, at };
  return { ...item, key: null, endedKeys: [...item.endedKeys, ended].slice(-mostEndedKeys) };
}

function notBound(item: UploadItem, at: number): UploadItem {
  const { phase } = item;
  if (item.key === null || phase.state === 'sent') return item;
  const ended = endKey(item, 'not-bound', null, at);
  return isActive(phase) && attemptsOf(item) > 0
    ? ask(ended, 'outcome-unknown', undecided.notBound, null)
    : ended;
}
