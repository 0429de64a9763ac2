import type {
  ConnectionChange,
  DiagnosticsReport,
  RequestLine,
  SelfTestStep,
} from '../../../src-preload/contract/index.ts';
import { counted } from '../../lib/format.ts';

export const apiNames = { infrastructure: 'Infrastructure', coordination: 'Coordination' } as const;

export const stateNames = {
  unknown: 'Not known',
  online: 'Online',
  degraded: 'Degraded',
  offline: 'Offline',
} as const satisfies Record<ConnectionChange['state'], string>;

/** As a level, so that it is marked as everywhere. */
export const stateLevels = {
  unknown: 'unknown',
  online: 'ok',
  degraded: 'degraded',
  offline: 'down',
} as const satisfies Record<ConnectionChange['state'], string>;

export const outcomeNames = {
  passed: 'Passed',
  failed: 'Failed',
  'not-run': 'Not run',
} as const satisfies Record<SelfTestStep['outcome'], string>;

/** `11 passed, 1 failed, 2 not run`. */
export function outcomeTally(steps: readonly SelfTestStep[]): string {
  const tally = (outcome: SelfTestStep['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length;
  const parts = [`${String(tally('passed'))} passed`];
  if (tally('failed') > 0) parts.push(`${String(tally('failed'))} failed`);
  if (tally('not-run') > 0) parts.push(`${String(tally('not-run'))} not run`);
  return parts.join(', ');
}

/** What a request came to, in one word: the status, or why there is none. */
export const requestResult = ({ status, code }: RequestLine): string =>
  status === null ? (code ?? 'no answer') : String(status);

/** Whether somebody who looks for trouble looks here. */
export const isTrouble = ({ status, code }: RequestLine): boolean =>
  code !== null && code !== 'cancelled' && (status === null || status >= 400);

export const requestTally = (requests: readonly RequestLine[]): string =>
  `${counted(requests.length, 'request', 'requests')}, ${String(requests.filter(isTrouble).length)} failed`;

/** The sections as text, for a message to whoever helps. */
export const reportText = ({ sections }: DiagnosticsReport): string =>
  sections
    .map(({ title, facts }) => [title, ...facts.map(({ name, value }) => `  ${name}: ${value}`)].join('\n'))
    .join('\n\n');
