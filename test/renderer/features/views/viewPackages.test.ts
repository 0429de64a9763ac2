import { describe, expect, it } from 'vitest';
import { packagesOfView } from '../../../../src-renderer/features/views/viewPackages.ts';

const there = [
  { id: 'a', name: 'Harbour' },
  { id: 'b', name: 'Hills' },
  { id: 'c', name: 'Hills' },
];

describe('the map packages of a view', () => {
  it('are left as they are by a view that says nothing of them', () => {
    expect(packagesOfView(null, there)).toBeNull();
  });

  it('are those with its ids, also where a name has changed', () => {
    expect(packagesOfView([{ id: 'c', name: 'Old hills' }], there)).toEqual({
      shown: new Set(['c']),
      gone: [],
    });
    expect(packagesOfView([], there)).toEqual({ shown: new Set(), gone: [] });
  });

  it('are known by name on another computer, unless two have it', () => {
    expect(packagesOfView([{ id: 'x', name: 'Harbour' }], there)).toEqual({
      shown: new Set(['a']),
      gone: [],
    });
    expect(packagesOfView([{ id: 'x', name: 'Hills' }], there)).toEqual({
      shown: new Set(),
      gone: ['Hills'],
    });
  });

  it('are named where they are gone, and the others shown all the same', () => {
    const wanted = [
      { id: 'x', name: 'Coast' },
      { id: 'b', name: 'Hills' },
    ];
    expect(packagesOfView(wanted, there)).toEqual({ shown: new Set(['b']), gone: ['Coast'] });
  });
});
