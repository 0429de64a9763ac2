import { expect, it } from 'vitest';
import { statusInLine, statusWord, typeWord } from '../../../src-renderer/base/severities.ts';

it.each([
  ['open', 'Open', 'open'],
  ['RESOLVED', 'Resolved', 'resolved'],
  ['in_progress', 'In progress', 'in progress'],
  ['IN_PROGRESS', 'In progress', 'in progress'],
  ['Triaged', 'Triaged', 'triaged'],
  ['on-hold/2', 'on-hold/2', 'on-hold/2'],
  ['  ', 'Unknown status', 'unknown status'],
])('a status of plain words has one case: %s', (status, word, inLine) => {
  expect([statusWord(status), statusInLine(status)]).toEqual([word, inLine]);
});

it('a type of plain words is a heading without underscores, another stays as it came', () => {
  expect(['structure_fire', 'flood', 'NBC', 'a_1'].map(typeWord)).toEqual([
    'Structure fire',
    'Flood',
    'NBC',
    'a_1',
  ]);
});
