import { expect, test } from 'vitest';
import type { IncidentChange } from '../../../../src-preload/contract/index.ts';
import { newsText } from '../../../../src-renderer/features/incidents/changeText.ts';

const at = Date.UTC(2026, 2, 14, 17, 47);
const now = at + 60_000;
const change = (of: Pick<IncidentChange, 'field' | 'from' | 'to'>): IncidentChange => ({ ...of, at });

test.each<[string, IncidentChange | 'new']>([
  ['New', 'new'],
  ['Medium to High, 17:47 UTC', change({ field: 'severity', from: 'MEDIUM', to: 'high' })],
  ['Open to In progress, 17:47 UTC', change({ field: 'status', from: 'open', to: 'in_progress' })],
  ['Evidence: 0 to 1,200, 17:47 UTC', change({ field: 'evidence', from: 0, to: 1_200 })],
  ['Type: Fire to Unknown, 17:47 UTC', change({ field: 'type', from: 'fire', to: null })],
  [
    'Severity meanwhile: Critical, 17:47 UTC',
    {
      ...change({ field: 'severity', from: 'high', to: 'high' }),
      meanwhile: { value: 'critical', since: at - 60_000, until: at },
    },
  ],
])('what changed is said as %s', (words, news) => {
  expect(newsText(news, now, 'utc')).toBe(words);
});
