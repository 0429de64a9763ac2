import type { App } from 'electron';
import type { SystemState } from '../../../../src-preload/contract/index.ts';
import type { Clock, DeviceSecretReading, DeviceSecretSource } from '../../../core/base/ports.ts';
import { readDeviceSecret, type SecretOptions, type SecretReading } from './deviceSecret.ts';

/** How long a sign-in waits for the key store, in milliseconds: the operator types its password meanwhile. */
const answerWithinMs = 30_000;

const stateOf = {
  secret: 'open',
  none: 'not-used',
  closed: 'closed',
  waiting: 'waiting',
} as const satisfies Record<DeviceSecretReading['kind'], SystemState['keyStore']>;

/**
 * Reads the device secret at the first request, with a time limit: a locked key store does not answer until its prompt
 * is answered, which may be never. A later answer is used; after a refusal the next reading asks again, which the system
 * answers without a prompt until the next start.
 *
 * `ask` asks the system, without a limit. It must not reject.
 */
export function waitForKeyStore(options: {
  readonly ask: () => Promise<SecretReading>;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly onState: (state: SystemState['keyStore']) => void;
}): DeviceSecretSource {
  const { clock, onState } = options;
  let known: DeviceSecretReading = { kind: 'waiting' };
  let asked: Promise<SecretReading> | null = null;
  const tell = (reading: DeviceSecretReading): void => {
    known = reading;
    onState(stateOf[reading.kind]);
  };
  const ask = (): Promise<SecretReading> => {
    if (asked !== null) return asked;
    tell({ kind: 'waiting' });
    asked = options.ask().then((answer) => {
      asked = null;
      tell(answer);
      return answer;
    });
    return asked;
  };
  return {
    peek: () => known,
    read: async () => {
      if (known.kind === 'secret' || known.kind === 'none') return known;
      let cancel = (): void => undefined;
      const late = new Promise<DeviceSecretReading>((resolve) => {
        cancel = clock.schedule(answerWithinMs, () => resolve({ kind: 'waiting' }));
      });
      const reading = await Promise.race([ask(), late]);
      cancel();
      return reading;
    },
  };
}

/** The device secret of a data folder. `app` says when the key store can be asked. */
export function openKeyStore(
  options: SecretOptions & {
    readonly app: Pick<App, 'whenReady'>;
    readonly clock: Pick<Clock, 'schedule'>;
    readonly onState: (state: SystemState['keyStore']) => void;
  },
): DeviceSecretSource {
  const { app, clock, onState } = options;
  const ask = (): Promise<SecretReading> => app.whenReady().then(() => readDeviceSecret(options));
  return waitForKeyStore({ ask, clock, onState });
}
