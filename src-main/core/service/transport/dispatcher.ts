import type { Dispatcher } from 'undici';
import type { ApiBase } from './address.ts';
import { Agents, type AgentOptions } from './agents.ts';

/**
 * How long after an answer its connection may be used again, milliseconds of a clock that counts sleep. A connection may
 * look open and be dead. A GET is then sent again, so it may find one from the poll before. Nothing else is sent twice,
 * so it needs a connection that has just carried an answer.
 */
export const keptMs = { repeatable: 90_000, single: 4_000 } as const;

/** The connections to one origin, until they are retired. */
export interface Route {
  /** Rejects when the signal is aborted first: a system may take long to name its proxy. */
  dispatcher(signal: AbortSignal): Promise<Dispatcher>;
  /** Whether an answer came by them. */
  isProven(): boolean;
  /** How many were opened until now; 0 through a proxy. */
  opened(): number;
  /** Milliseconds since bytes of an answer came by them; since they were opened where none did. */
  idleMs(): number;
  /** Bytes of an answer have come by them. */
  answered(): void;
  /** `Agents.isTrustedBySystem` of the origin. */
  isTrustedBySystem(signal: AbortSignal): Promise<boolean>;
  /** They are dead: they end with their running requests, and no other request uses them. */
  retire(): void;
}

/**
 * The sockets of one deployment.
 *
 * @throws when the private CA is not a certificate: at the first connection, that would look like a service that cannot
 * be reached.
 */
export function createDispatcher(options: AgentOptions): {
  /** `repeatable`: the request may be sent a second time. */
  for(base: ApiBase, use: keyof typeof keptMs): Route;
  /** The network is another one, or the computer slept: no connection from before is used. */
  retireAll(): void;
  destroy(): Promise<void>;
} {
  const { clock } = options;
  const agents = new Agents(options);
  const open = new Set<Dispatcher>();
  /** By origin: an answer proves nothing about the connections to another one. */
  const routes = new Map<string, Route>();
  let isOver = false;

  async function openAgent(origin: string, onLost: () => void): Promise<Dispatcher> {
    const agent = await agents.open(origin, onLost);
    if (isOver) await agent.destroy();
    else open.add(agent);
    return agent;
  }

  async function close(agent: Dispatcher): Promise<void> {
    await agent.close().catch(() => undefined);
    open.delete(agent);
  }

  function openRoute({ origin }: ApiBase): Route {
    let isProven = false;
    let opened = 0;
    let usedElapsed = clock.elapsed();
    const route: Route = {
      dispatcher: (signal) => beforeAbort(opening, signal),
      isProven: () => isProven,
      opened: () => opened,
      idleMs: () => clock.elapsed() - usedElapsed,
      answered() {
        isProven = true;
        usedElapsed = clock.elapsed();
      },
      isTrustedBySystem: (signal) => agents.isTrustedBySystem(origin, signal),
      retire() {
        if (routes.get(origin) !== route) return;
        routes.delete(origin);
        opening.then(close, () => undefined);
      },
    };
    const opening = openAgent(origin, () => route.retire());
    opening.then(
      (agent) => agent.on('connect', () => (opened += 1)),
      // A system that names no proxy now is asked again.
      () => route.retire(),
    );
    routes.set(origin, route);
    return route;
  }

  return {
    for(base, use) {
      const known = routes.get(base.origin);
      if (known !== undefined && known.idleMs() <= keptMs[use]) return known;
      known?.retire();
      return openRoute(base);
    },
    retireAll() {
      agents.forget();
      for (const route of [...routes.values()]) route.retire();
    },
    async destroy() {
      isOver = true;
      await Promise.all([...open].map((agent) => agent.destroy()));
    },
  };
}

/** Rejects with the signal's reason when it is aborted first. */
function beforeAbort<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
