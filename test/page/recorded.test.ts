import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeIncidentFrame, stateSchema, verbs } from '../../src-preload/contract/index.ts';
import { allStates } from './allStates.ts';
import { kept, recorded } from './recorded.ts';

test('every slice of the recording is of the contract, and none is missing', () => {
  for (const { slices } of [recorded.signedOut, recorded.workspace]) {
    expect(stateSchema.safeParse(slices).error).toBeUndefined();
  }
});

test('every recorded answer is of the contract', () => {
  const answers = {
    readEvidence: recorded.evidence,
    readUploads: recorded.uploads,
    readAudit: recorded.audit,
    readNotes: recorded.notes,
    readShift: recorded.shift,
    readDiagnostics: recorded.diagnostics,
    runSelfTest: recorded.selfTest,
  } as const;
  for (const [verb, answer] of Object.entries(answers)) {
    const { error } = verbs[verb as keyof typeof answers].reply.safeParse(answer);
    expect(error, verb).toBeUndefined();
  }
  for (const detail of Object.values(recorded.details))
    expect(verbs.readIncident.reply.safeParse(detail).error, detail.id).toBeUndefined();
});

test('the recorded rows are those of the recorded count', () => {
  const frame = Buffer.from(recorded.workspace.incidents ?? '', 'base64');
  const { columns } = decodeIncidentFrame(frame);
  expect(columns.length).toBe(recorded.workspace.slices.incidents?.count);
  expect(Object.keys(recorded.details)).toHaveLength(columns.length);
  const counted = Array.from(columns.key, (key) => recorded.details[key]?.evidenceCount);
  expect(counted, 'rows and details count the same evidence').toEqual([...columns.evidenceCount]);
});

test('every state has windows of the sync that agree with each other, as the core sends them', () => {
  const recordedSync = recorded.workspace.slices.sync;
  for (const { name, slices } of allStates) {
    const { sync } = slices;
    if (sync === undefined || sync === recordedSync) continue;
    const { windows, uncertain, completeAsOf, unit, phase } = sync;
    expect(windows.complete + uncertain.count, name).toBe(windows.planned);
    expect(uncertain.count === 0 || completeAsOf === null, name).toBe(true);
    if (phase === 'first' || phase === 'rolling') expect(unit, name).toMatch(/seconds$/);
  }
});

test('a recording is made once for the same sources, and kept only whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'field-console-recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cache/recorded.json');
  const made: string[] = [];
  const text = (of: string): string =>
    kept(file, of, () => {
      made.push(of);
      return `text of ${of}`;
    });
  const failing = (): string => {
    throw new Error('It cannot be made');
  };
  expect(() => kept(file, 'one', failing)).toThrow('It cannot be made');
  expect([text('one'), text('one')]).toEqual(['text of one', 'text of one']);
  expect(() => kept(file, 'two', failing)).toThrow('It cannot be made');
  expect(text('two')).toBe('text of two');
  writeFileSync(file, '{"of":"two","te');
  expect(text('two')).toBe('text of two');
  expect(made).toEqual(['one', 'two', 'two']);
  expect(readdirSync(join(folder, 'cache'))).toEqual(['recorded.json']);
});
