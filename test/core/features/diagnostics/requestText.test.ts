import { describe, expect, it } from 'vitest';
import { shownPath, shownRequestId } from '../../../../src-main/core/service/transport/requestText.ts';

describe('a path for people', () => {
  it.each([
    ['/incidents', '/incidents'],
    ['/admin/missions/approve', '/admin/missions/approve'],
    ['/api/v2/fleet-status', '/api/v2/fleet-status'],
    ['/incidents/7f3c', '/incidents/…'],
    ['/incidents/1f0e3dad-9990-4a2b-8a8c-0e2b3a4c5d6f/notes', '/incidents/…/notes'],
    ['/ipfs/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy', '/ipfs/…'],
    ['/missions/a-name-so-long-that-it-can-only-be-somebodys-own', '/missions/…'],
    ['/missions/Søk%20nord', '/missions/…'],
    ['/events?token=secret', '/events?…'],
    ['', ''],
  ])('%s', (path, shown) => {
    expect(shownPath(path)).toBe(shown);
  });

  it('names what a query asks for, and never says with which value', () => {
    const query = { start_time: 17, severity: 'canary', cursor: undefined, 'odd name 1': 'x' };
    expect(shownPath('/incidents', query)).toBe('/incidents?start_time&severity&…');
  });

  it('is never longer than the page takes, however long the path', () => {
    expect(shownPath('/abcdefghijklmnop'.repeat(1_000)).length).toBeLessThanOrEqual(512);
  });
});

it.each([
  ['trn-fcda346875a4df7b3a', true],
  ['1f0e3dad-9990-4a2b-8a8c-0e2b3a4c5d6f', true],
  ['Root=1-67891233-abcdef012345678912345678', true],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.sig', false],
  ['fire at the school', false],
  ['x'.repeat(101), false],
  ['', false],
])('the request id %s is shown: %s', (id, shown) => {
  expect(shownRequestId(id)).toBe(shown ? id : null);
});
