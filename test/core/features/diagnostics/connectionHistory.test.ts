import { expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { ConnectionHistory } from '../../../../src-main/core/features/diagnostics/diagnostics.ts';
import { RequestJournal } from '../../../../src-main/core/features/diagnostics/requestJournal.ts';
import type { ApiConnection } from '../../../../src-preload/contract/index.ts';

const unknown: ApiConnection = { state: 'unknown', since: 0, failure: null };
const online: ApiConnection = { state: 'online', since: 1, failure: null };
const offline = (code: 'unreachable' | 'timed-out'): ApiConnection => ({
  state: 'offline',
  since: 2,
  failure: makeFailure({ code, at: 2, words: 'canary' }),
});

it('notes another state or another reason, and nothing else', () => {
  const history = new ConnectionHistory();
  history.look({ infrastructure: unknown, coordination: unknown }, 1);
  history.look({ infrastructure: online, coordination: unknown }, 2);
  history.look({ infrastructure: { ...online, since: 9 }, coordination: offline('unreachable') }, 3);
  history.look({ infrastructure: online, coordination: offline('timed-out') }, 4);
  history.look({ infrastructure: unknown, coordination: offline('timed-out') }, 5);
  expect(history.changes()).toEqual([
    { at: 5, api: 'infrastructure', state: 'unknown', code: null },
    { at: 4, api: 'coordination', state: 'offline', code: 'timed-out' },
    { at: 3, api: 'coordination', state: 'offline', code: 'unreachable' },
    { at: 2, api: 'infrastructure', state: 'online', code: null },
  ]);
});

it('remembers the latest 200 changes', () => {
  const history = new ConnectionHistory();
  for (let at = 1; at <= 300; at += 1) {
    const infrastructure = at % 2 === 0 ? online : offline('unreachable');
    history.look({ infrastructure, coordination: unknown }, at);
  }
  const changes = history.changes();
  expect([changes.length, changes[0]?.at, changes.at(-1)?.at]).toEqual([200, 300, 101]);
});

it('remembers the latest 500 requests', () => {
  const journal = new RequestJournal();
  for (let at = 1; at <= 700; at += 1) {
    journal.note({
      at,
      api: 'infrastructure',
      method: 'GET',
      path: '/health',
      status: 200,
      code: null,
      milliseconds: 1,
      requestId: null,
    });
  }
  const lines = journal.lines();
  expect([lines.length, lines[0]?.at, lines.at(-1)?.at]).toEqual([500, 700, 201]);
});
