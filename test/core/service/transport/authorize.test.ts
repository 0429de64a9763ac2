import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import type { AfterRefusal, Token, TokenSource } from '../../../../src-main/core/service/session/tokens.ts';
import { authorize } from '../../../../src-main/core/service/transport/authorize.ts';
import { createRefusals } from '../../../../src-main/core/service/transport/refusals.ts';
import type { Answer, ApiRequest } from '../../../../src-main/core/service/transport/request.ts';
import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { createVirtualClock } from '../../../support/clock.ts';
import { saying } from '../../../support/messages.ts';

const minute = 60_000;
const rejected = makeFailure({ code: 'session-rejected', at: 1 });
const tokensRefused = makeFailure({ code: 'tokens-refused', at: 1 });

/** The interceptor alone: what it asks of the session is written down, and the service answers as it is told. */
function createRig(statuses: readonly number[] = [200]) {
  const clock = createVirtualClock();
  const asked: string[] = [];
  const sent: ApiRequest[] = [];
  const rig = {
    fresh: ok({ value: 'first', generation: 1 }) as Result<Token>,
    present: null as Token | null,
    upload: ok({ value: 'service', generation: 7 }) as Result<Token>,
    after: [{ kind: 'surfaced' }] as AfterRefusal[],
    statuses: [...statuses],
    /** Instead of an answer. */
    cut: null as Result<Answer> | null,
  };
  const tokens: TokenSource = {
    fresh: () => Promise.resolve(rig.fresh),
    present: () => rig.present,
    refused: (generation, { by, repeated }) => {
      asked.push(`refused ${generation} ${by}${repeated ? ' again' : ''}`);
      return Promise.resolve(rig.after.shift() ?? { kind: 'surfaced' });
    },
    accepted: (generation, by) => void asked.push(`accepted ${generation} ${by}`),
    upload: () => rig.upload,
    uploadRefused: (generation) => void asked.push(`upload refused ${generation}`),
    secrets: () => [],
  };
  const told: number[] = [];
  const refusals = createRefusals({ clock, onChange: ({ length }) => void told.push(length) });
  const intercept = authorize({
    tokens,
    refusals,
    serverTime: { serverNow: () => clock.wallNow() } as Parameters<typeof authorize>[0]['serverTime'],
  });
  const memory = { attempts: 0, renewed: false, isAnswering: false, deadlineElapsed: 0 };
  const request = {
    api: 'infrastructure',
    operation: 'list',
    resource: '',
    headers: { accept: 'application/json' },
    authorization: 'required',
    recheck: false,
    signal: new AbortController().signal,
    memory,
  } as unknown as ApiRequest;
  const answer = (status: number): Answer =>
    ({ status, headers: {}, body: null, requestId: `req-${status}` }) as Answer;
  const send = (change: Partial<ApiRequest> = {}) =>
    intercept({ ...request, memory: { ...memory }, ...change }, (attempt) => {
      sent.push(attempt);
      return Promise.resolve(rig.cut ?? ok(answer(rig.statuses.shift() ?? 200)));
    });
  return Object.assign(rig, { clock, asked, sent, told, refusals, memory, request, send });
}

const bearers = (sent: readonly ApiRequest[]) => sent.map(({ headers }) => headers['authorization'] ?? null);

describe('a request that needs a token', () => {
  it('is not sent without one, and says why', async () => {
    const rig = createRig();
    rig.fresh = failed(rejected);
    expect(await rig.send()).toEqual(failed(rejected));
    expect(rig.sent).toEqual([]);
  });

  it('keeps its own headers, and its success is told to the session', async () => {
    const rig = createRig([204]);
    expect(await rig.send()).toMatchObject({ ok: true, value: { status: 204 } });
    expect(rig.sent[0]?.headers).toEqual({ accept: 'application/json', authorization: 'Bearer first' });
    expect(rig.asked).toEqual(['accepted 1 infrastructure list ']);
  });

  it.each([100, 300, 302, 404, 500])('a %i says nothing of the token', async (status) => {
    const rig = createRig([status]);
    await rig.send();
    expect(rig.asked).toEqual([]);
  });

  it('a 403 shows that the token is accepted, and is not asked for again with it', async () => {
    const rig = createRig([403, 200]);
    await rig.send();
    expect(rig.asked).toEqual(['accepted 1 infrastructure list ']);
    expect(await rig.send()).toMatchObject({ ok: false, failure: { code: 'not-granted' } });
    expect(rig.sent).toHaveLength(1);
    await rig.send({ recheck: true });
    expect(rig.sent).toHaveLength(2);
    expect(rig.told.at(-1)).toBe(0);
  });

  it('forgets at the next token what was refused to the one before, whatever is asked', async () => {
    const rig = createRig([403, 200]);
    await rig.send();
    expect(rig.told.at(-1)).toBe(1);
    rig.fresh = ok({ value: 'second', generation: 2 });
    await rig.send({ operation: 'other' });
    expect(rig.told.at(-1)).toBe(0);
  });
});

describe('a 401', () => {
  it('is repeated once with the next token, and what was refused to the old one is forgotten', async () => {
    const rig = createRig([403, 401, 200]);
    await rig.send({ operation: 'other' });
    rig.after = [{ kind: 'token', token: { value: 'second', generation: 2 } }];
    expect(await rig.send()).toMatchObject({ ok: true, value: { status: 200 } });
    expect(bearers(rig.sent)).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
    expect(rig.asked.slice(1)).toEqual(['refused 1 infrastructure list ', 'accepted 2 infrastructure list ']);
    expect(rig.told.at(-1)).toBe(0);
  });

  it('of the repetition too is surfaced, and the operation rests for five minutes', async () => {
    const rig = createRig([401, 401]);
    rig.after = [{ kind: 'token', token: { value: 'second', generation: 2 } }, { kind: 'surfaced' }];
    const first = await rig.send();
    const sentence = saying('The service refused the renewed token too.');
    expect(first).toMatchObject({ ok: false, failure: { status: 401, requestId: 'req-401', sentence } });
    expect(rig.asked).toEqual(['refused 1 infrastructure list ', 'refused 2 infrastructure list  again']);
    rig.fresh = ok({ value: 'second', generation: 2 });
    await rig.clock.advance(5 * minute - 1);
    expect(await rig.send()).toEqual(first);
    expect(rig.sent).toHaveLength(2);
    await rig.clock.advance(1);
    expect(await rig.send()).toMatchObject({ ok: true });
  });

  it('of a later attempt of the same operation is told as a repeated one', async () => {
    const rig = createRig([401, 401]);
    const memory = { ...rig.memory };
    await rig.send({ memory });
    expect(memory.renewed).toBe(true);
    await rig.send({ memory, recheck: true });
    expect(rig.asked).toEqual(['refused 1 infrastructure list ', 'refused 1 infrastructure list  again']);
  });

  it('gives way to why there is no token', async () => {
    const rig = createRig([401]);
    rig.after = [{ kind: 'failed', failure: rejected }];
    expect(await rig.send()).toEqual(failed(rejected));
  });

  it('keeps its own words where the service refuses all of its tokens', async () => {
    const rig = createRig([401]);
    rig.after = [{ kind: 'failed', failure: tokensRefused }];
    expect(await rig.send()).toMatchObject({
      ok: false,
      failure: { code: 'tokens-refused', sentence: tokensRefused.sentence, requestId: 'req-401' },
    });
  });
});

describe('a request with the token that there is', () => {
  it('goes without one where there is none, and never asks for a login', async () => {
    const rig = createRig();
    rig.fresh = failed(rejected);
    expect(await rig.send({ authorization: 'present' })).toMatchObject({ ok: true });
    rig.present = { value: 'first', generation: 1 };
    await rig.send({ authorization: 'present' });
    await rig.send({ authorization: 'none' });
    expect(bearers(rig.sent)).toEqual([null, 'Bearer first', null]);
    expect(rig.asked).toEqual([]);
  });
});

describe('an upload with a token of its own', () => {
  const upload = { authorization: 'upload' } as const;

  it('is not sent without it', async () => {
    const rig = createRig();
    const missing = failed(makeFailure({ code: 'upload-token-missing', at: 1 }));
    rig.upload = missing;
    expect(await rig.send(upload)).toEqual(missing);
    expect(rig.sent).toEqual([]);
  });

  it('carries it and nothing of the session', async () => {
    const rig = createRig([201]);
    expect(await rig.send(upload)).toMatchObject({ ok: true, value: { status: 201 } });
    expect(bearers(rig.sent)).toEqual(['Bearer service']);
    expect(rig.asked).toEqual([]);
  });

  it('that got no answer, or another status, is handed on as it is', async () => {
    const rig = createRig([413]);
    expect(await rig.send(upload)).toMatchObject({ ok: true, value: { status: 413 } });
    rig.cut = failed(makeFailure({ code: 'unreachable', at: 1 }));
    expect(await rig.send(upload)).toEqual(rig.cut);
    expect(rig.asked).toEqual([]);
  });

  it('met with 401 asks the operator for another token, not the session for a login', async () => {
    const rig = createRig([401]);
    expect(await rig.send(upload)).toMatchObject({
      ok: false,
      failure: { code: 'upload-token-refused', status: 401, requestId: 'req-401', words: null },
    });
    expect(rig.asked).toEqual(['upload refused 7']);
  });
});
