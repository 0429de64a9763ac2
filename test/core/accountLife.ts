import type { Clock, Logger } from '../../src-main/core/base/ports.ts';
import { Scope } from '../../src-main/core/base/scope.ts';
import type { Account } from '../../src-main/core/vault/account.ts';
import type { VaultRecords } from '../../src-main/core/vault/records.ts';

/** What a feature is built with, and the clock of that account. */
export interface Opening extends Account {
  readonly clock: Clock;
}

/** How a test opens a vault for a feature, and leaves it. */
export interface AccountLife {
  /** Builds the feature and lets it take up what is stored. The vault before must have been left. */
  start(records?: VaultRecords | null, username?: string): Promise<void>;
  /** Leaves the vault, after `others` have ended; answers when nothing uses the records any more. */
  stop(others?: Promise<unknown>): Promise<void>;
}

type Feature = object & { load?(): Promise<void> };
const load = (feature: Feature): Promise<void> | undefined => feature.load?.();

/**
 * A feature of the account as one object over several openings of a vault: each `start` builds another one, which
 * answers all calls until the next.
 */
export function accountLife<F extends Feature>(
  ports: { readonly clock: Clock; readonly logger: Logger },
  make: (opening: Opening) => F,
  begin: (feature: F) => Promise<void> | void = load,
): F & AccountLife {
  let scope: Scope | null = null;
  let feature: F | null = null;
  const life: AccountLife = {
    async start(records = null, username = 'canary') {
      if (scope?.isOver === false) throw new Error('The vault before is still open');
      scope = new Scope(ports);
      feature = make({ scope, clock: scope.clock, records, username });
      await begin(feature);
    },
    stop: async (others) => {
      if (others !== undefined) scope?.defer(async () => void (await others));
      await scope?.[Symbol.asyncDispose]();
    },
  };
  return new Proxy(life, {
    get(target, name) {
      if (name in target) return target[name as keyof AccountLife];
      if (feature === null) throw new Error(`No vault was opened before ${String(name)}`);
      const member: unknown = Reflect.get(feature, name, feature);
      return typeof member === 'function' ? (member.bind(feature) as unknown) : member;
    },
  }) as F & AccountLife;
}
