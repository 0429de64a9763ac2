import type { OutboxState, Upload, UploadState } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { clockTime, shortMoment, span, type Zone } from '../../base/format.ts';
import { messageText } from '../../base/messages.ts';
import { bytesText } from '../../base/storage.ts';

/** The one word that a row says about its state. */
export const stateWords = (state: UploadState): string => t(`uploads.state.${state}`);

/** Those that need an operator come first. */
const inOrder: readonly UploadState[] = [
  'needs-decision',
  'failed',
  'unproven',
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
    .map((state) => ({ state, words: t(`uploads.count.${state}`, {}, counts[state]) }));

/** How many of them wait for an operator. */
export const troubled = (counts: OutboxState['counts']): number => counts['needs-decision'] + counts.failed;

export type Moving = OutboxState['moving'][number];

/** Whole per cent, never rounded up to a hundred before everything is there. */
export const percentOf = ({ done, total }: Pick<Moving, 'done' | 'total'>): number =>
  total <= 0 ? 100 : Math.max(0, Math.min(100, Math.floor((done / total) * 100)));

/** `3.1 MB/s`. */
export const rateText = (bytesPerSecond: number): string =>
  t('uploads.rate', { size: bytesText(bytesPerSecond) });

/** `12 s left`; never none at all, since something still moves. */
export const leftText = (seconds: number): string =>
  t('uploads.left', { span: span(Math.max(1, Math.ceil(seconds)) * 1_000) });

/** An upload that takes longer may well be cut, seconds. */
const longSeconds = 60;

/** `42% of 1.4 GB · 3.1 MB/s · 12 s left`. */
export function movingText(moving: Moving): string {
  const parts = [t('uploads.moving', { percent: percentOf(moving), size: bytesText(moving.total) })];
  if (moving.bytesPerSecond !== null) parts.push(rateText(moving.bytesPerSecond));
  if (moving.secondsLeft !== null) parts.push(leftText(moving.secondsLeft));
  if (moving.direction === 'sending' && (moving.secondsLeft ?? 0) >= longSeconds)
    parts.push(t('uploads.noResume'));
  return parts.join(' · ');
}

/** When it continues automatically: `Tried again at 14:02:31 UTC, in 12 s`; empty where that is not known. */
export function untilText(until: number | null, now: number, zone: Zone): string {
  if (until === null) return '';
  if (until <= now) return t('uploads.soon');
  return t('uploads.until', { time: clockTime(until, zone), span: span(until - now + 999) });
}

const isUnsent = ({ state }: Upload): boolean => state === 'queued' || state === 'waiting';

/**
 * Size and what else is worth knowing at a glance of one that does not move; an answered one has its verdict and CID.
 * `seconds`: how long a slow line needs for it.
 */
export function factsText(upload: Upload, now: number, zone: Zone, seconds: number | null = null): string {
  const parts = [bytesText(upload.bytes)];
  if (seconds !== null && isUnsent(upload))
    parts.push(t('uploads.needs', { span: span(seconds * 1_000) }), t('uploads.noResume'));
  if (upload.paused) parts.push(t('uploads.paused'));
  if (upload.sentAt === null)
    parts.push(t('uploads.addedAt', { time: shortMoment(upload.addedAt, now, zone) }));
  else if (upload.verdict === null) parts.push(shortMoment(upload.sentAt, now, zone));
  return parts.join(' · ');
}

export type UploadAction =
  | 'pause'
  | 'resume'
  | 'postpone'
  | 'top'
  | 'up'
  | 'down'
  | 'choose'
  | 'retry'
  | 'check'
  | 'send'
  | 'cancel'
  | 'erase'
  | 'discard';

/** What can be done about one in its state, the likeliest first. `isSlow`: the line needs long for it. */
export function actionsOf(upload: Upload, isSlow = false): readonly UploadAction[] {
  const flow: UploadAction = upload.paused || upload.awaitsLink ? 'resume' : 'pause';
  const postpone: UploadAction[] = isSlow && !upload.awaitsLink ? ['postpone'] : [];
  switch (upload.state) {
    case 'receiving':
      return ['cancel'];
    case 'sending':
      return [flow, ...postpone, 'cancel'];
    case 'queued':
    case 'waiting':
      return [flow, ...postpone, 'top', 'up', 'down', 'cancel', 'discard'];
    case 'sent':
      return ['discard'];
    case 'unproven':
      return ['check', 'send', 'erase'];
    case 'needs-decision':
      return upload.decision === 'same-bytes' ? ['send', 'discard'] : ['check', 'send', 'discard'];
    case 'failed':
      if (upload.failure?.code === 'copy-cut-off') return ['choose', 'discard'];
      // Without a digest the copy was never whole: there is nothing to send.
      return upload.sha256 === null ? ['discard'] : ['retry', 'discard'];
  }
}

export function actionWords(action: UploadAction, upload: Upload): string {
  switch (action) {
    case 'send':
      return t(upload.decision === 'same-bytes' ? 'uploads.action.sendSame' : 'uploads.action.send');
    case 'discard':
      return t(upload.state === 'sent' ? 'uploads.action.takeOff' : 'uploads.action.discard');
    case 'check':
      return t(upload.state === 'unproven' ? 'uploads.action.look' : 'uploads.action.check');
    case 'resume':
      return t(upload.awaitsLink ? 'uploads.action.sendNow' : 'uploads.action.resume');
    case 'pause':
    case 'postpone':
    case 'top':
    case 'up':
    case 'down':
    case 'choose':
    case 'retry':
    case 'cancel':
    case 'erase':
      return t(`uploads.action.${action}`);
  }
}

/** The same with the name of the file, for a button that stands beside others of its kind. */
export function namedAction(action: UploadAction, upload: Upload): string {
  const named = { name: upload.fileName };
  switch (action) {
    case 'send':
      return t(upload.decision === 'same-bytes' ? 'uploads.named.sendSame' : 'uploads.named.send', named);
    case 'check':
      return t(upload.state === 'unproven' ? 'uploads.named.look' : 'uploads.named.check', named);
    case 'top':
    case 'up':
    case 'down':
      return actionWords(action, upload);
    case 'resume':
      return t(upload.awaitsLink ? 'uploads.named.sendNow' : 'uploads.named.resume', named);
    case 'pause':
    case 'postpone':
    case 'choose':
    case 'retry':
    case 'cancel':
    case 'erase':
    case 'discard':
      return t(`uploads.named.${action}`, named);
  }
}

/** Whether the service may hold it without anybody knowing. */
const mayHaveArrived = ({ state, decision, attempts }: Upload): boolean =>
  (state === 'needs-decision' && (decision === 'outcome-unknown' || decision === 'stopped')) ||
  (state === 'waiting' && attempts > 0);

/** What is known of one that is not proven, and what is lost with its copy, as sentences. */
export const eraseSentences = ({ why, bytes }: Upload): string[] => [
  ...(why === null ? [] : [messageText(why)]),
  t('uploads.discard.erase', { size: bytesText(bytes) }),
];

/** What is lost by discarding it, as sentences. */
export function discardSentences(upload: Upload): string[] {
  const size = bytesText(upload.bytes);
  if (upload.state === 'sent') return [t('uploads.discard.sent')];
  const sentences = [t('uploads.discard.copy', { size })];
  if (mayHaveArrived(upload)) {
    sentences.push(t('uploads.discard.mayHaveArrived', {}, upload.attempts));
  } else if (upload.decision === 'other-bytes') sentences.push(t('uploads.discard.otherBytes'));
  else if (upload.decision === 'same-bytes') sentences.push(t('uploads.discard.same'));
  else sentences.push(t('uploads.discard.notTaken'));
  return sentences;
}

/** Why an outbox stands still as a whole, and what follows from it; null when it does not. */
export function standstill(
  outbox: Pick<OutboxState, 'paused' | 'unsent'>,
  coordination: 'unknown' | 'online' | 'degraded' | 'offline',
  live: boolean,
): { readonly what: string; readonly then: string } | null {
  if (outbox.paused)
    return { what: t('uploads.standstill.paused'), then: t('uploads.standstill.pausedThen') };
  if (!live) {
    return { what: t('uploads.standstill.session'), then: t('uploads.standstill.then') };
  }
  if (coordination === 'offline') {
    return { what: t('uploads.standstill.unreachable'), then: t('uploads.standstill.then') };
  }
  return null;
}
