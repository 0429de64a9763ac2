import type {
  ConnectionChange,
  DiagnosticsReport,
  RequestLine,
  SelfTestStep,
} from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { inRow, tally } from '../../base/format.ts';

/** As a level, so that it is marked as everywhere. */
export const stateLevels = {
  unknown: 'unknown',
  online: 'ok',
  degraded: 'degraded',
  offline: 'down',
} as const satisfies Record<ConnectionChange['state'], string>;

export function outcomeName(outcome: SelfTestStep['outcome']): string {
  switch (outcome) {
    case 'passed':
      return t('diagnostics.test.passed');
    case 'failed':
      return t('diagnostics.test.failed');
    case 'not-run':
      return t('diagnostics.test.notRun');
  }
}

/** `11 passed, 1 failed, 2 not run.`; what there is none of is left out, except for what passed. */
export function outcomeTally(steps: readonly SelfTestStep[]): string {
  const numberOf = (outcome: SelfTestStep['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length;
  const [passed, failed, notRun] = [numberOf('passed'), numberOf('failed'), numberOf('not-run')];
  const outcomes = [
    t('diagnostics.test.tallyPassed', {}, passed),
    ...(failed > 0 ? [t('diagnostics.test.tallyFailed', {}, failed)] : []),
    ...(notRun > 0 ? [t('diagnostics.test.tallyNotRun', {}, notRun)] : []),
  ];
  return t('diagnostics.test.tally', { outcomes: inRow(outcomes) });
}

/** What a request came to, in one word: the status, or why there is none. */
export const requestResult = ({ status, code }: RequestLine): string =>
  status === null ? (code ?? t('diagnostics.requests.noAnswer')) : String(status);

/** Whether it may be the cause of trouble. */
export const isTrouble = ({ status, code }: RequestLine): boolean =>
  code !== null && code !== 'cancelled' && (status === null || status >= 400);

export function requestTally(requests: readonly RequestLine[]): string {
  const parts = [
    t('diagnostics.requests.count', {}, requests.length),
    t('diagnostics.requests.failed', {}, requests.filter(isTrouble).length),
  ];
  return t('diagnostics.requests.tally', { parts: tally(parts) });
}

/** The sections as text, for a message to a helper. */
export const reportText = ({ sections }: DiagnosticsReport): string =>
  sections
    .map(({ title, facts }) => [title, ...facts.map(({ name, value }) => `  ${name}: ${value}`)].join('\n'))
    .join('\n\n');
