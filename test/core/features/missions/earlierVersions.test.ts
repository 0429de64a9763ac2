import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import {
  chainStart,
  entryHmac,
  headText,
  rowId,
} from '../../../../src-main/core/features/missions/audit/auditEntry.ts';
import { decisionRowId } from '../../../../src-main/core/features/missions/decisionRecord.ts';
import type { DecisionOutcome, Failure } from '../../../../src-preload/contract/index.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { createMissionRig, eventOf } from './missionRig.ts';

const hour = 3_600_000;

/** What version 0.1 wrote of a decision, to the letter: a row and the entries of the audit list. */
interface Written {
  readonly outcome: DecisionOutcome;
  readonly failure: object | null;
  /** The last entry about it; the one before says that it was asked. */
  readonly event: string;
}

const failureOf = (code: Failure['code'], sentence: string, status: number | null = null): object => ({
  ...makeFailure({ code, at: 0, status }),
  sentence,
  remedy: null,
  phrases: { sentence: null, remedy: null },
});

const stillPending = 'It is still pending: the service did not act on the decision. You can decide again.';
const noLongerPending =
  'It is no longer pending, so it was decided on; found by checking. The list does not tell by whom.';

function keptBefore({ outcome, failure, event }: Written, at: number): MemoryRecords {
  const records = new MemoryRecords();
  const about = { username: 'canary', missionId: 'm-1', decision: 'approve' } as const;
  const key = 'ab'.repeat(16);
  const record = {
    version: 1,
    ...about,
    key,
    body: '{"mission_id":"m-1"}',
    at,
    anchor: at,
    seen: at,
    outcome,
    answeredAt: at + 1_000,
    requestId: null,
    failure,
    answer: null,
  };
  records.tables.decisions.set(decisionRowId('m-1'), JSON.stringify(record));
  const entries = [
    { event: 'Asked the service to approve the mission.', outcome: 'sending' },
    { event, outcome },
  ];
  let before = chainStart;
  for (const [index, entry] of entries.entries()) {
    const number = index + 1;
    const body = JSON.stringify({ number, at, ...about, ...entry, requestId: null, key, restart: null });
    const hmac = entryHmac(records.auditKey, before, body);
    records.tables.audit.set(rowId(number), JSON.stringify({ body, hmac }));
    before = hmac;
  }
  records.head = headText(records.auditKey, entries.length, before);
  return records;
}

async function opened(written: Written) {
  const now = createMissionRig().clock.wallNow();
  const records = keptBefore(written, now);
  const rig = createMissionRig({ records });
  await rig.start();
  expect(rig.slice().audit).toEqual({ count: 2, state: 'intact', problem: null });
  return Object.assign(rig, { entry: () => rig.feature.readAudit(0, 1).entries[0] });
}

describe('what an earlier version wrote', () => {
  it('a refusal that it inferred from the list is an unknown outcome, under the same key', async () => {
    const event = `Found out about the approval: ${stillPending}`;
    const failure = failureOf('refused-by-service', stillPending);
    const rig = await opened({ outcome: 'refused', failure, event });
    const at = rig.clock.wallNow();
    expect(rig.mission('m-1')?.decided).toMatchObject({
      outcome: 'unknown',
      failure: null,
      listCheck: { at: at + 1_000, listed: true },
      inferredBefore: true,
      sameAgainUntil: at + 23 * hour,
    });
    expect(rig.entry()).toMatchObject({ event: { text: event }, inferred: true, outcome: 'refused' });
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(await rig.approve('m-1', true)).toMatchObject({
      value: { outcome: 'done', basis: 'answer', inferredBefore: false },
    });
    expect(rig.decided[0]).toMatchObject({ key: 'ab'.repeat(16), body: '{"mission_id":"m-1"}' });
  });

  it('an approval that it inferred from the list is a mission that is no longer listed', async () => {
    const event = `Found out about the approval: ${noLongerPending}`;
    const failure = failureOf('outcome-unknown', noLongerPending);
    const rig = await opened({ outcome: 'done', failure, event });
    expect(rig.mission('m-1')?.decided).toMatchObject({
      outcome: 'no-longer-listed',
      failure: null,
      inferredBefore: true,
    });
    expect(rig.entry()).toMatchObject({ event: { text: event }, inferred: true });
    rig.feature.noteEvent('m-1', eventOf('mission.approved', {}, rig.clock.wallNow()));
    await rig.clock.advance(500);
    expect(rig.mission('m-1')?.decided).toMatchObject({
      outcome: 'done',
      basis: 'event',
      inferredBefore: false,
    });
  });

  it('what never left was not sent, and can be decided on', async () => {
    const sentence = 'Nothing was sent. The service cannot be reached.';
    const event = `The approval was not done. ${sentence}`;
    const rig = await opened({ outcome: 'refused', failure: failureOf('unreachable', sentence), event });
    expect(rig.mission('m-1')?.decided).toMatchObject({ outcome: 'not-sent', inferredBefore: false });
    expect(rig.entry()).toMatchObject({ event: { text: event }, inferred: false });
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
  });

  it.each([
    ['done', null, 'The service took the approval.'],
    ['refused', failureOf('not-found', 'There is none.', 404), 'The approval was not done. There is none.'],
    ['done', null, 'Found out about the approval: The mission was approved.'],
  ] as const)('%s stays what the service or an event said', async (outcome, failure, event) => {
    const rig = await opened({ outcome, failure, event });
    expect(rig.mission('m-1')?.decided).toMatchObject({ outcome, inferredBefore: false });
    expect(rig.entry()).toMatchObject({ event: { text: event }, inferred: false });
  });

  it('is recalled as unknown from the audit list alone where it was inferred', async () => {
    const event = `Found out about the approval: ${stillPending}`;
    const failure = failureOf('refused-by-service', stillPending);
    const records = keptBefore({ outcome: 'refused', failure, event }, 0);
    records.tables.decisions.clear();
    records.damaged = { decisions: 1 };
    const rig = createMissionRig({ records });
    await rig.start();
    expect(rig.mission('m-1')?.decided).toMatchObject({ outcome: 'unknown', inferredBefore: true });
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
  });

  it('is exported as it was sealed, beside the note that it was inferred', async () => {
    const event = `Found out about the approval: ${stillPending}`;
    const failure = failureOf('refused-by-service', stillPending);
    const rig = await opened({ outcome: 'refused', failure, event });
    const prepared = await rig.feature.exportAudit();
    if (!prepared.ok) throw new Error('not prepared');
    const text = new TextDecoder().decode(rig.downloads.take(prepared.value.exportId) ?? undefined);
    const [, asked, found] = text.trimEnd().split('\n');
    expect(JSON.parse(asked ?? '')).not.toHaveProperty('inferredByEarlierVersion');
    expect(JSON.parse(found ?? '')).toMatchObject({ intact: true, inferredByEarlierVersion: true });
    expect(found).toContain(JSON.stringify(event));
    expect(found).not.toContain('"phrase"');
  });
});
