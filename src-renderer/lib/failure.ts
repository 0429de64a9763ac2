import type { Failure } from '../../src-preload/contract/index.ts';

/** The quiet line under a failure: what an operator reads out or pastes into a report. */
export function failureReference(failure: Failure): string {
  const parts: string[] = [failure.code];
  if (failure.status !== null) parts.push(`HTTP ${failure.status}`);
  if (failure.requestId !== null) parts.push(`request ${failure.requestId}`);
  return parts.join(' · ');
}

/** A failure as one paste-able text, with its sentence and the service's own words. */
export function failureReport(failure: Failure): string {
  const lines = [failure.sentence];
  if (failure.words !== null) lines.push(`Service: ${failure.words}`);
  lines.push(failureReference(failure));
  if (failure.at > 0) lines.push(new Date(failure.at).toISOString());
  return lines.join('\n');
}
