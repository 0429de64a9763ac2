import type { ConsoleState, Level } from '../../../../src-preload/contract/index.ts';

type Integration = ConsoleState['health']['integrations'][number];

/** The changes of an integration's level that are news. */
export interface IntegrationNews {
  readonly down: readonly Integration[];
  readonly recovered: readonly Integration[];
  /** Some level differs from before. */
  readonly changed: boolean;
}

/**
 * Integrations that went down and came back. One that is down when it is first seen did not go down. An unknown level,
 * and a service that cannot be reached, leave the last known level.
 */
export class IntegrationLevels {
  readonly #levels: Map<string, Level>;

  constructor(levels: ReadonlyMap<string, Level> = new Map()) {
    this.#levels = new Map(levels);
  }

  get levels(): ReadonlyMap<string, Level> {
    return this.#levels;
  }

  take(integrations: readonly Integration[]): IntegrationNews {
    const down: Integration[] = [];
    const recovered: Integration[] = [];
    let changed = false;
    for (const integration of integrations) {
      const { field, level } = integration;
      if (level === 'unknown') continue;
      const before = this.#levels.get(field);
      this.#levels.set(field, level);
      changed ||= before !== level;
      if (before === undefined) continue;
      if (level === 'down' && before !== 'down') down.push(integration);
      if (level !== 'down' && before === 'down') recovered.push(integration);
    }
    if (integrations.length > 0) this.#forgetOthers(integrations);
    return { down, recovered, changed };
  }

  /** A service may name its fields differently each time: old names must not pile up. */
  #forgetOthers(integrations: readonly Integration[]): void {
    const named = new Set(integrations.map(({ field }) => field));
    for (const field of this.#levels.keys()) if (!named.has(field)) this.#levels.delete(field);
  }
}

/** Whether the service ended a live session. A wrong password after that ends nothing. */
export class SessionEnd {
  #lived = false;

  take({ session }: ConsoleState['session']): 'ended' | 'live' | null {
    switch (session.state) {
      case 'active':
        this.#lived = true;
        return 'live';
      case 'renewing':
      case 'waiting':
      case 'tokens-refused':
        this.#lived = true;
        return null;
      case 'rejected': {
        const ended = this.#lived;
        this.#lived = false;
        return ended ? 'ended' : null;
      }
      case 'none':
      case 'signing-in':
        return null;
    }
  }
}

/** Whether more records than ever since the last 0 could not be read, also over a restart. */
export class UnreadCount {
  #most: number;
  #count: number;

  constructor(most = 0) {
    this.#most = most;
    this.#count = most;
  }

  get most(): number {
    return this.#most;
  }

  take(count: number): 'rose' | 'settled' | 'changed' | null {
    if (count === this.#count) return null;
    this.#count = count;
    const rose = count > this.#most;
    if (rose || count === 0) this.#most = count;
    return rose ? 'rose' : count === 0 ? 'settled' : 'changed';
  }
}

/** Whether more uploads need a decision than before, also over a restart. */
export class DecisionCount {
  #count: number;

  constructor(count = 0) {
    this.#count = count;
  }

  get count(): number {
    return this.#count;
  }

  take({ available, counts }: ConsoleState['outbox']): 'rose' | 'settled' | 'changed' | null {
    // A closed outbox shows 0, which says nothing about the uploads.
    if (!available) return null;
    const before = this.#count;
    this.#count = counts['needs-decision'];
    if (this.#count === before) return null;
    if (this.#count > before) return 'rose';
    return this.#count === 0 ? 'settled' : 'changed';
  }
}
