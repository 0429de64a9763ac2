import { expect, test } from 'vitest';
import { decodeIncidentFrame, stateSchema, verbs } from '../../src-preload/contract/index.ts';
import { allStates } from './allStates.ts';
import recordedJson from './recorded.json' with { type: 'json' };
import type { Recorded } from './recorded.ts';

// A contract that changed asks for a new recording (`npm run record`), or the page tests prove an old one.
const recorded = recordedJson as unknown as Recorded;

test('every slice of the recording is of the present contract, and none is missing', () => {
  for (const { slices } of [recorded.signedOut, recorded.workspace]) {
    expect(stateSchema.safeParse(slices).error).toBeUndefined();
  }
});

test('every recorded answer is of the present contract', () => {
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
