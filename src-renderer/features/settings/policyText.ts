import type { PolicyState } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { span } from '../../base/format.ts';

type PolicyKey = PolicyState['fixed'][number];

export const isFixed = (policy: PolicyState | undefined, key: PolicyKey): boolean =>
  policy?.fixed.includes(key) === true;

/** Where what holds on this computer comes from, as a sentence. */
export function sourceWords({ source }: PolicyState): string {
  switch (source) {
    case 'none':
      return t('policy.source.none');
    case 'machine':
      return t('policy.source.machine');
    case 'command-line':
      return t('policy.source.commandLine');
    case 'invalid':
      return t('policy.source.invalid');
  }
}

export interface FixedSetting {
  readonly key: PolicyKey;
  readonly name: string;
  readonly value: string;
}

const allowed = (may: boolean): string => t(may ? 'policy.allowed' : 'policy.notAllowed');

/** When the idle console locks: `After 5 min`, `Never`. */
export const idleLockWords = (ms: number | null): string =>
  ms === null ? t('policy.never') : t('policy.after', { span: span(ms) });

/** What the policy fixes, with the value that holds, in the policy's own order. */
export function fixedSettings(policy: PolicyState): readonly FixedSetting[] {
  const values: Readonly<Record<PolicyKey, readonly [name: string, value: string]>> = {
    deployments: [t('policy.deployments'), t('policy.deploymentsFixed')],
    kiosk: [t('policy.kiosk'), t(`policy.kiosks.${policy.kiosk}`)],
    idleLock: [t('policy.idleLock'), idleLockWords(policy.idleLockMs)],
    exports: [t('policy.exports'), allowed(policy.exports)],
    evidencePreview: [t('policy.evidencePreview'), allowed(policy.evidencePreview)],
    saveData: [t('policy.saveData'), t(policy.saveData ? 'policy.saved' : 'policy.notSaved')],
    updates: [t('policy.updates'), allowed(policy.updates)],
    drop: [t('policy.drop'), allowed(policy.drop)],
    logLevel: [t('policy.logLevel'), t('policy.logLevelFixed')],
  };
  return policy.fixed.map((key) => {
    const [name, value] = values[key];
    return { key, name, value };
  });
}
