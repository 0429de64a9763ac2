/** How Electron's contextBridge hands values over, in both directions. */
export interface BridgeRules {
  /**
   * A value on the other side: a copy, with functions that copy what they are given and what they return.
   *
   * @throws DOMException DataCloneError for a proxy and for what the structured clone refuses.
   */
  crossed(value: unknown): unknown;
  /**
   * Puts a copy of `api`, frozen, into `scope`, where it cannot be replaced.
   *
   * @throws Error when something has that name already.
   */
  expose(scope: object, name: string, api: unknown): void;
}

/**
 * Makes the rules. An object that holds functions is copied property by property, so that a proxy is noticed in
 * everything but such an object itself.
 *
 * The function is also written into pages as text, so it uses nothing from outside of itself.
 */
export function makeBridgeRules(): BridgeRules {
  // The page may put another one in its place.
  const clone = structuredClone;
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const holdsFunctions = (value: unknown): boolean =>
    typeof value === 'function' || (isObject(value) && Object.values(value).some(holdsFunctions));
  // Of an error its message crosses, and no object that it brings along.
  const crossedError = (error: unknown): Error =>
    new Error(error instanceof Error ? error.message : String(error));

  const crossedFunction =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const given = args.map(crossed);
      let answer: unknown;
      try {
        answer = call(...given);
      } catch (error) {
        throw crossedError(error);
      }
      return crossed(answer);
    };
  const crossed = (value: unknown): unknown => {
    if (typeof value === 'function') return crossedFunction(value as (...args: unknown[]) => unknown);
    if (value instanceof Promise) {
      return value.then(crossed, (error: unknown) => {
        throw crossedError(error);
      });
    }
    if (!isObject(value) || !holdsFunctions(value)) return clone(value);
    if (Array.isArray(value)) return value.map(crossed);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, crossed(part)]));
  };
  const frozen = (value: unknown): unknown => {
    if (!isObject(value) || ArrayBuffer.isView(value)) return value;
    for (const part of Object.values(value)) frozen(part);
    return Object.freeze(value);
  };
  return {
    crossed,
    expose: (scope, name, api) => {
      if (Object.hasOwn(scope, name)) throw new Error('Cannot bind an API on top of an existing property');
      const value = frozen(crossed(api));
      Object.defineProperty(scope, name, { value, enumerable: true, writable: false, configurable: false });
    },
  };
}
