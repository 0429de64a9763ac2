import type { App } from 'electron';
import type { SystemState } from '../../../../src-preload/contract/index.ts';
import type { Clock, DeviceSecretReading, DeviceSecretSource } from '../../../core/base/ports.ts';
import { isKeyStoreClosed, readDeviceSecret, type SecretOptions } from './deviceSecret.ts';

/** How long a sign-in waits for the key store, in milliseconds: the operator types its password meanwhile. */
const answerWithinMs = 30_000;

type Answer = Exclude<DeviceSecretReading, { readonly kind: 'waiting' }>;

const stateOf = {
  secret: 'open',
  none: 'not-used',
  closed: 'closed',
  waiting: 'waiting',
} as const satisfies Record<DeviceSecretReading['kind'], SystemState['keyStore']>;

/**
 * Reads the device secret at the first request, with a time limit: a locked key store does not answer until its prompt
 * is answered, which may be never. A later answer is used; after a refusal the next reading asks again.
 *
 * `ask` asks the system, without a limit. It must not reject.
 */
export function waitForKeyStore(options: {
  readonly ask: () => Promise<Answer>;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly onState: (state: SystemState['keyStore']) => void;
}): DeviceSecretSource {
  const { clock, onState } = options;
  let known: DeviceSecretReading = { kind: 'waiting' };
  let asked: Promise<Answer> | null = null;
  const tell = (reading: DeviceSecretReading): void => {
    known = reading;
    onState(stateOf[reading.kind]);
  };
  const ask = (): Promise<Answer> => {
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
  const { app, clock, policy, onState } = options;
  const ask = async (): Promise<Answer> => {
    await app.whenReady();
    const secret = await readDeviceSecret(options);
    if (secret !== null) return { kind: 'secret', secret };
    const closed = !policy.passwordOnly && (await isKeyStoreClosed(options));
    return { kind: closed ? 'closed' : 'none' };
  };
  return waitForKeyStore({ ask, clock, onState });
}
