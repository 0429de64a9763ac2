import { describe, expect, it } from 'vitest';
import { makeBridgeRules } from '../../e2e/standIn/bridgeRules.ts';

const { crossed, expose } = makeBridgeRules();
const refused = expect.objectContaining({ name: 'DataCloneError' }) as unknown;
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('what crosses the bridge of the stand-in', () => {
  it('is a copy, without prototypes', () => {
    class Point {
      x = 1;
      get twice(): number {
        return this.x * 2;
      }
    }
    const given = { point: new Point(), bytes: new Uint8Array([1]) };
    const copy = crossed(given) as typeof given;
    expect(copy).toStrictEqual({ point: { x: 1 }, bytes: new Uint8Array([1]) });
    expect(copy.bytes).not.toBe(given.bytes);
  });

  it.each([
    ['a proxy', new Proxy({}, {})],
    ['a proxy inside of something', { list: [new Proxy({ a: 1 }, {})] }],
    ['a proxy of a list', new Proxy([1], {})],
    ['a symbol', Symbol('s')],
    ['a WeakMap', new WeakMap()],
  ])('is never %s', (_name, value) => {
    expect(thrownBy(() => crossed(value))).toEqual(refused);
    expect(thrownBy(() => crossed({ value, run: () => undefined }))).toEqual(refused);
  });

  it('is copied into and out of a function, promises included', async () => {
    const seen: unknown[] = [];
    const reply = { ok: true };
    const call = crossed((request: unknown) => {
      seen.push(request);
      return Promise.resolve(reply);
    }) as (request: unknown) => Promise<unknown>;
    const request = { a: 1 };
    const answer = await call(request);
    expect(seen).toEqual([request]);
    expect(seen[0]).not.toBe(request);
    expect(answer).toEqual(reply);
    expect(answer).not.toBe(reply);
    expect(thrownBy(() => call(new Proxy({}, {})))).toEqual(refused);
    expect(seen).toHaveLength(1);
  });

  it('copies what a listener of the other side receives, and takes its functions', () => {
    const heard: unknown[] = [];
    const subscribe = crossed((listener: (push: unknown) => void) => {
      listener({ push: 1 });
      return () => heard.push('over');
    }) as (listener: (push: unknown) => void) => () => void;
    subscribe((push) => heard.push(push))();
    expect(heard).toEqual([{ push: 1 }, 'over']);
    const tellProxy = crossed((listener: (push: unknown) => void) => listener(new Proxy({}, {})));
    expect(() => (tellProxy as (listener: unknown) => void)(() => undefined)).toThrow(/could not be cloned/);
  });

  it('leaves of an error its message', async () => {
    const error = Object.assign(new RangeError('too much'), { secret: 'token' });
    const thrown = thrownBy(
      crossed(() => {
        throw error;
      }) as () => void,
    );
    expect(thrown).toEqual(new Error('too much'));
    expect(thrown).not.toHaveProperty('secret');
    await expect(crossed(Promise.reject(error))).rejects.toEqual(new Error('too much'));
  });
});

describe('what is exposed', () => {
  it('is frozen in all its depth, and cannot be replaced or exposed twice', () => {
    const scope: Record<string, { verbs: { run(): number } }> = {};
    expose(scope, 'api', { verbs: { run: () => 1 } });
    expect(scope['api']?.verbs.run()).toBe(1);
    expect(Object.isFrozen(scope['api'])).toBe(true);
    expect(Object.isFrozen(scope['api']?.verbs)).toBe(true);
    expect(() => Object.assign(scope, { api: 1 })).toThrow(TypeError);
    expect(() => expose(scope, 'api', {})).toThrow('existing property');
  });
});
