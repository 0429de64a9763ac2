/** Sees which calls of ports that work in threads and files have no answer yet. */
export class Busy {
  /** What else is under way at one time comes before these answers: threads and sockets race in real time. */
  readonly #others: () => Promise<void>;
  #count = 0;
  #answered = 0;

  constructor(others: () => Promise<void> = () => Promise.resolve()) {
    this.#others = others;
  }

  /** Repeats `settle` until all calls are answered and no call follows the last answer. */
  async settle(settle: () => Promise<void>): Promise<void> {
    for (let answered = -1; this.#count > 0 || answered !== this.#answered;) {
      answered = this.#answered;
      await settle();
    }
  }

  /** The same port, whose calls are counted, and those of what it answers with. */
  over<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return isPort(value) ? this.over(value) : value;
        return (...given: unknown[]): unknown => this.#watch(Reflect.apply(value, target, given));
      },
    });
  }

  /** Ports of which some are counted. */
  overAll<T extends object>(ports: T, counted: readonly (keyof T)[]): T {
    const all = { ...ports };
    for (const name of counted) {
      const port = ports[name];
      if (typeof port === 'function') {
        const called = (...given: unknown[]): unknown => this.#watch(Reflect.apply(port, ports, given));
        Object.assign(all, { [name]: called });
      } else Object.assign(all, { [name]: this.over(port as object) });
    }
    return all;
  }

  async #inTurn(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer;
    } finally {
      await this.#others();
    }
  }

  #watch(answer: unknown): unknown {
    if (answer instanceof Promise) {
      this.#count += 1;
      const inTurn = this.#inTurn(answer);
      const over = (): void => {
        this.#count -= 1;
        this.#answered += 1;
      };
      inTurn.then(over, over);
      return inTurn.then((value: unknown) => this.#watch(value));
    }
    return isPort(answer) ? this.over(answer) : answer;
  }
}

/** An object of methods, or with such an object in it: what a port hands out for further calls, and no value. */
function isPort(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    return false;
  if (Symbol.asyncIterator in value) return true;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype)
    return Object.values(value).some((inner) => typeof inner === 'function' || isPort(inner));
  return Object.getOwnPropertyNames(prototype).some(
    (name) => name !== 'constructor' && typeof Reflect.get(prototype, name, value) === 'function',
  );
}
