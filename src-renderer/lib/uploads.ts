import type { OutboxState, Upload, UploadState } from '../../src-preload/contract/index.ts';
import { clockTime, count, counted, shortMoment, span, type Zone } from './format.ts';
import { bytesText } from './storage.ts';

/** The one word that a row says about its state. */
export const stateWords: Readonly<Record<UploadState, string>> = {
  receiving: 'copying',
  queued: 'queued',
  sending: 'sending',
  waiting: 'waiting',
  sent: 'sent',
  'needs-decision': 'needs decision',
  failed: 'failed',
};

/** Those that need somebody come first. */
const inOrder: readonly UploadState[] = [
  'needs-decision',
  'failed',
  'sending',
  'receiving',
  'waiting',
  'queued',
  'sent',
];

/** `1 needs a decision`, `2 sending`, `41 sent`, each with its state; none for an empty outbox. */
export const countWords = (
  counts: OutboxState['counts'],
): { readonly state: UploadState; readonly words: string }[] =>
  inOrder
    .filter((state) => counts[state] > 0)
    .map((state) => ({
      state,
      words:
        state === 'needs-decision'
          ? counted(counts[state], 'needs a decision', 'need a decision')
          : `${count(counts[state])} ${stateWords[state]}`,
    }));

/** How many of them stay as they are until somebody does something. */
export const troubled = (counts: OutboxState['counts']): number => counts['needs-decision'] + counts.failed;

export type Moving = OutboxState['moving'][number];

/** Whole per cent, never rounded up to a hundred before everything is there. */
export const percentOf = ({ done, total }: Pick<Moving, 'done' | 'total'>): number =>
  total <= 0 ? 100 : Math.max(0, Math.min(100, Math.floor((done / total) * 100)));

/** `3.1 MB/s`. */
export const rateText = (bytesPerSecond: number): string => `${bytesText(bytesPerSecond)}/s`;

/** `12 s left`; never none at all, since something still moves. */
export const leftText = (seconds: number): string => `${span(Math.max(1, Math.ceil(seconds)) * 1_000)} left`;

/** `42% of 1.4 GB · 3.1 MB/s · 12 s left`. */
export function movingText(moving: Moving): string {
  const parts = [`${percentOf(moving)}% of ${bytesText(moving.total)}`];
  if (moving.bytesPerSecond !== null) parts.push(rateText(moving.bytesPerSecond));
  if (moving.secondsLeft !== null) parts.push(leftText(moving.secondsLeft));
  return parts.join(' · ');
}

/** When it goes on by itself: `Tried again at 14:02:31 UTC, in 12 s`; empty where that is not known. */
export function untilText(until: number | null, now: number, zone: Zone): string {
  if (until === null) return '';
  if (until <= now) return 'Goes on at any moment';
  return `Goes on at ${clockTime(until, zone)}, in ${span(until - now + 999)}`;
}

/** Size and what else is worth knowing at a glance of one that does not move; a sent one has its verdict and CID. */
export function factsText(upload: Upload, now: number, zone: Zone): string {
  const parts = [bytesText(upload.bytes)];
  if (upload.paused) parts.push('paused');
  if (upload.state !== 'sent') parts.push(`added ${shortMoment(upload.addedAt, now, zone)}`);
  else if (upload.verdict === null && upload.sentAt !== null) {
    parts.push(shortMoment(upload.sentAt, now, zone));
  }
  return parts.join(' · ');
}

export type UploadAction =
  'pause' | 'resume' | 'top' | 'up' | 'down' | 'retry' | 'check' | 'send' | 'cancel' | 'discard';

/** What can be done about one in its state, the likeliest first. */
export function actionsOf(upload: Upload): readonly UploadAction[] {
  const flow: UploadAction = upload.paused ? 'resume' : 'pause';
  switch (upload.state) {
    case 'receiving':
      return ['cancel'];
    case 'sending':
      return [flow, 'cancel'];
    case 'queued':
    case 'waiting':
      return [flow, 'top', 'up', 'down', 'cancel', 'discard'];
    case 'sent':
      return ['discard'];
    case 'needs-decision':
      return upload.decision === 'same-bytes' ? ['send', 'discard'] : ['check', 'send', 'discard'];
    case 'failed':
      // Without a digest the copy was never whole: there is nothing to send.
      return upload.sha256 === null ? ['discard'] : ['retry', 'discard'];
  }
}

export function actionWords(action: UploadAction, upload: Upload): string {
  switch (action) {
    case 'pause':
      return 'Pause';
    case 'resume':
      return 'Resume';
    case 'top':
      return 'Move to top';
    case 'up':
      return 'Move up';
    case 'down':
      return 'Move down';
    case 'retry':
      return 'Retry';
    case 'check':
      return 'Check';
    case 'send':
      return upload.decision === 'same-bytes' ? 'Send it all the same' : 'Send again';
    case 'cancel':
      return 'Cancel';
    case 'discard':
      return upload.state === 'sent' ? 'Take off the list' : 'Discard';
  }
}

/** Whether the service may hold it without anybody knowing. */
const mayHaveArrived = ({ state, decision, attempts }: Upload): boolean =>
  (state === 'needs-decision' && decision !== 'same-bytes') || (state === 'waiting' && attempts > 0);

/** What is lost by discarding it, as sentences. */
export function discardSentences(upload: Upload): string[] {
  const size = bytesText(upload.bytes);
  if (upload.state === 'sent')
    return ['The service keeps the file. Its line here goes, and with it the CID and the request id.'];
  const sentences = [`The copy on this computer (${size}) is destroyed. The original file is not touched.`];
  if (mayHaveArrived(upload)) {
    sentences.push(
      `Its bytes left ${upload.attempts === 1 ? 'once' : counted(upload.attempts, 'time', 'times')} and no answer came: it may have arrived at the service. Discarding it does not call it back, and the console will no longer find out.`,
    );
  } else if (upload.decision === 'same-bytes')
    sentences.push('A file of the same content stays in the outbox.');
  else sentences.push('It was not taken by the service, and will not be sent.');
  return sentences;
}

/** Why an outbox stands still as a whole, and what follows from it; null when it does not. */
export function standstill(
  outbox: Pick<OutboxState, 'paused' | 'unsent'>,
  coordination: 'unknown' | 'online' | 'degraded' | 'offline',
  live: boolean,
): { readonly what: string; readonly then: string } | null {
  if (outbox.paused) return { what: 'Paused.', then: 'No file leaves until you resume.' };
  if (!live) {
    return { what: 'No session with the service.', then: 'Files are sent when the link is back.' };
  }
  if (coordination === 'offline') {
    return { what: 'Can’t reach the service.', then: 'Files are sent when the link is back.' };
  }
  return null;
}
