import { expect, test } from 'vitest';
import { Graphics } from '../../../src-renderer/map/graphics.ts';

function open() {
  const heard = new Map<string, Set<() => void>>();
  const of = (name: string): Set<() => void> => {
    const listeners = heard.get(name) ?? new Set();
    heard.set(name, listeners);
    return listeners;
  };
  const fire = (name: string): void => {
    for (const listener of [...of(name)]) listener();
  };
  const said: string[] = [];
  const graphics = new Graphics({
    map: {
      on: (name: string, listener: () => void) => of(name).add(listener),
      once: (name: string, listener: () => void) => {
        const once = (): void => {
          of(name).delete(once);
          listener();
        };
        of(name).add(once);
      },
    } as never,
    onLost: () => said.push('lost'),
    onBack: () => said.push(graphics.drawable ? 'back' : 'back, but not drawable'),
  });
  return { graphics, fire, said };
}

test('a map that lost its graphics can be drawn again when what it restored by itself is at rest', () => {
  const { graphics, fire, said } = open();
  fire('idle');
  expect(graphics.drawable).toBe(true);
  fire('webglcontextlost');
  expect(graphics.drawable).toBe(false);
  fire('webglcontextrestored');
  expect(graphics.drawable).toBe(false);
  fire('idle');
  fire('idle');
  expect(graphics.drawable).toBe(true);
  expect(said).toEqual(['lost', 'back']);
});

test('one that lost them again meanwhile waits for the last return, and is back once', () => {
  const { graphics, fire, said } = open();
  fire('webglcontextlost');
  fire('webglcontextrestored');
  fire('webglcontextlost');
  fire('idle');
  expect(graphics.drawable, 'it is lost').toBe(false);
  fire('webglcontextrestored');
  fire('idle');
  expect(graphics.drawable).toBe(true);
  expect(said).toEqual(['lost', 'lost', 'back']);
});

test('one that is gone is never drawn again', () => {
  const { graphics, fire, said } = open();
  fire('webglcontextlost');
  fire('webglcontextrestored');
  graphics.close();
  fire('idle');
  expect(graphics.drawable).toBe(false);
  expect(graphics.gone).toBe(true);
  expect(said).toEqual(['lost']);
});
