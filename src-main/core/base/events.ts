import type { Scope } from './scope.ts';

/** The typed events of one lifetime. `E` names them, each with the type of its value. */
export interface Events<E> {
  /**
   * Runs `listener` at each event of this name until the second step of the lifetime's end. Where the lifetime loads
   * stored data, what comes from above it is heard once they are loaded, and `at-once` before too.
   */
  readonly on: <N extends keyof E>(
    name: N,
    listener: (value: E[N]) => void,
    when?: 'loaded' | 'at-once',
  ) => void;
  /** Returns when all listeners have run: in the lifetimes below, and then in this one in the order of their making. */
  emit<N extends keyof E>(name: N, value: E[N]): void;
  /** Passes all events on to a lifetime below. The returned function stops that. */
  passTo(below: Pick<Events<E>, 'emit'>): () => void;
}

type Listener = (value: never) => void;
type Listeners = Map<PropertyKey, Set<Listener>>;

/**
 * The events of the lifetime of `scope`. What is emitted in the lifetime `above` is heard here too, until the first
 * step of the end.
 */
export function createEvents<A extends object, E extends A>(
  scope: Scope,
  above: Pick<Events<A>, 'passTo'> | null = null,
  isLoaded: () => boolean = () => true,
): Events<E> {
  const kinds = { 'at-once': new Map() as Listeners, loaded: new Map() as Listeners };
  const below = new Set<Pick<Events<E>, 'emit'>>();
  const tell = <N extends keyof E>(kind: keyof typeof kinds, name: N, value: E[N]): void => {
    for (const listener of [...(kinds[kind].get(name) ?? [])]) (listener as (value: E[N]) => void)(value);
  };
  const emit = <N extends keyof E>(name: N, value: E[N]): void => {
    for (const lifetime of [...below]) lifetime.emit(name, value);
    tell('at-once', name, value);
    tell('loaded', name, value);
  };
  if (above !== null) {
    scope.onEnd(
      above.passTo({
        emit: (name, value) => {
          if (isLoaded()) emit(name, value as E[typeof name]);
          else tell('at-once', name, value as E[typeof name]);
        },
      }),
    );
  }
  return {
    on: (name, listener, when = 'loaded') => {
      const listeners = kinds[when].get(name) ?? new Set();
      kinds[when].set(name, listeners.add(listener));
      scope.defer(() => void listeners.delete(listener));
    },
    emit,
    passTo: (lifetime) => {
      below.add(lifetime);
      return () => void below.delete(lifetime);
    },
  };
}
