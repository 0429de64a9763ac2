import type { SelfTestStep } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock } from '../../base/ports.ts';
import type { Check, Finding } from './checks.ts';

/** A step that says nothing for so long has failed, milliseconds. */
const patienceMs = 30_000;

/** Runs the checks one after another, so that none is measured against another's work. Never rejects. */
export async function runChecks(checks: readonly Check[], clock: Clock): Promise<SelfTestStep[]> {
  const steps: SelfTestStep[] = [];
  for (const check of checks) {
    const began = clock.elapsed();
    const { outcome, detail } = await found(check, clock);
    const milliseconds = Math.round(clock.elapsed() - began);
    const { id, name } = check;
    steps.push({ id, name, outcome, detail, milliseconds });
  }
  return steps;
}

async function found(check: Check, clock: Clock): Promise<Finding> {
  let cancel = (): void => undefined;
  const late = new Promise<Finding>((resolve) => {
    cancel = clock.schedule(patienceMs, () => {
      resolve({ outcome: 'failed', detail: message('selfTest.late', { count: patienceMs / 1_000 }) });
    });
  });
  try {
    return await Promise.race([Promise.resolve(check.run()), late]);
  } catch (error) {
    return { outcome: 'failed', detail: message('selfTest.failed', { kind: kindOf(error) }) };
  } finally {
    cancel();
  }
}

/** Of an error only its kind: messages hold paths of this computer. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
