import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src-main/core/base/scope.ts';
import { createTestPorts } from '../../support/ports.ts';

const dispose = (scope: Scope): Promise<void> => scope[Symbol.asyncDispose]();

function open() {
  const { clock, logger } = createTestPorts();
  const done: string[] = [];
  return {
    clock,
    logger,
    done,
    scope: new Scope({ clock, logger }),
    note: (what: string) => () => void done.push(what),
  };
}

describe('a scope', () => {
  it('ends at once, the latest first, and then does what was deferred, one after another', async () => {
    const { scope, done, note } = open();
    scope.onEnd(note('end 1'));
    scope.onEnd(note('end 2'));
    scope.defer(note('last'));
    scope.defer(async () => {
      done.push('begins');
      await Promise.resolve();
      done.push('is through');
    });
    const disposed = dispose(scope);
    expect(done.slice(0, 2)).toEqual(['end 2', 'end 1']);
    expect(scope.isOver).toBe(true);
    await disposed;
    expect(done).toEqual(['end 2', 'end 1', 'begins', 'is through', 'last']);
  });

  it('aborts its signal before anything ends', async () => {
    const { scope, done } = open();
    scope.onEnd(() => void done.push(String(scope.signal.aborted)));
    await dispose(scope);
    expect(done).toEqual(['true']);
  });

  it('leaves no timer, and starts none when it is over', async () => {
    const { scope, clock, done, note } = open();
    const waiting = clock.pending();
    scope.clock.schedule(10, note('ran'));
    const cancel = scope.clock.schedule(20, note('cancelled'));
    scope.clock.schedule(30, note('too late'));
    await clock.advance(15);
    cancel();
    await dispose(scope);
    scope.clock.schedule(1, note('after the end'));
    expect(clock.pending()).toBe(waiting);
    await clock.advance(100);
    expect(done).toEqual(['ran']);
  });

  it('ends its children with it, and a child alone', async () => {
    const { scope, done, note } = open();
    const first = scope.child();
    const second = scope.child();
    first.onEnd(note('first'));
    first.defer(note('first is done'));
    second.onEnd(note('second'));
    second.defer(note('second is done'));
    await dispose(first);
    expect([first.isOver, second.isOver, scope.isOver]).toEqual([true, false, false]);
    await dispose(scope);
    expect(second.isOver).toBe(true);
    expect(done).toEqual(['first', 'first is done', 'second', 'second is done']);
  });

  it('begins to close all at once, and waits for each in its turn', async () => {
    const { scope, done, note } = open();
    const slow = Promise.withResolvers<void>();
    scope.defer(note('last'));
    for (const name of ['first', 'second']) {
      scope.closing(async () => {
        done.push(`${name} begins`);
        await slow.promise;
        done.push(`${name} is closed`);
      });
    }
    scope.closing(() => Promise.reject(new Error('of one')));
    const disposed = dispose(scope);
    expect(done).toEqual(['second begins', 'first begins']);
    slow.resolve();
    await disposed;
    expect(done.slice(2)).toEqual(['second is closed', 'first is closed', 'last']);
  });

  it('is disposed of once, however often it is asked for', async () => {
    const { scope, done, note } = open();
    scope.defer(note('done'));
    await Promise.all([dispose(scope), dispose(scope)]);
    await dispose(scope);
    expect(done).toEqual(['done']);
  });

  it('goes on where something in it fails, and logs that', async () => {
    const { scope, done, note, logger } = open();
    scope.onEnd(note('end'));
    scope.onEnd(() => {
      throw new TypeError('in the end');
    });
    scope.defer(note('deferred'));
    scope.defer(() => Promise.reject(new RangeError('deferred')));
    await dispose(scope);
    expect(done).toEqual(['end', 'deferred']);
    const broke = logger.lines.filter(({ event }) => event === 'disposal-broke');
    expect(broke.map(({ fields }) => fields?.['error'])).toEqual(['TypeError', 'RangeError']);
  });

  it('ends at once what comes after its end, and takes no more work', async () => {
    const { scope, done, note } = open();
    await dispose(scope);
    scope.onEnd(note('late'));
    expect(done).toEqual(['late']);
    expect(() => {
      scope.defer(note('never'));
    }).toThrow('over');
    expect(scope.child().isOver).toBe(true);
  });
});
