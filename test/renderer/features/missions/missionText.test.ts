import { describe, expect, it } from 'vitest';
import { type Decided, type Failure, type Mission } from '../../../../src-preload/contract/index.ts';
import {
  isSettled,
  isTyped,
  missionsAlike,
  listCheckWords,
  missionAge,
  missionName,
  missionFacts,
  missionTitle,
  momentOf,
  obstacleTo,
  stateWords,
  typedTarget,
  undecided,
  valueText,
} from '../../../../src-renderer/features/missions/missionText.ts';

const failure: Failure = {
  code: 'not-granted',
  sentence: { text: 'The service refused this.' },
  remedy: null,
  status: 403,
  requestId: 'r-1',
  words: 'scope missing',
  at: 0,
  retryAt: null,
};
const decided = (change: Partial<Decided>): Decided => ({
  missionId: 'm-1',
  decision: 'approve',
  outcome: 'done',
  at: 0,
  answeredAt: 0,
  requestId: null,
  failure: null,
  answer: null,
  basis: 'answer',
  listCheck: null,
  checkable: false,
  sameAgainUntil: null,
  ...change,
});
const mission = (change: Partial<Mission> = {}): Mission => ({
  id: 'm-1',
  source: 'list',
  seenAt: 0,
  requestedAt: null,
  state: 'pending',
  fields: [],
  notGranted: null,
  decided: null,
  ...change,
});
const up = { state: 'up' } as const;

describe('why a mission can’t be decided on', () => {
  const sentence = (one: Mission | null, blocked: Failure | null = null, now = 0): string | null =>
    obstacleTo(one, { blocked }, up, now)?.sentence ?? null;

  it('is nothing for one that waits, or was only typed', () => {
    expect(sentence(mission())).toBeNull();
    expect(sentence(null)).toBeNull();
  });
  it.each([
    ['sending', /being sent/],
    ['done', /^Already approved\.$/],
    ['unknown', /not known/],
    ['no-longer-listed', /left the list/],
  ] as const)('is its decision while that is %s', (outcome, words) => {
    expect(sentence(mission({ decided: decided({ outcome }) }))).toMatch(words);
  });
  it('is the missing scope, with the service’s answer', () => {
    const found = obstacleTo(mission({ notGranted: failure }), { blocked: null }, up, 0);
    expect(found?.sentence).toMatch(/You don’t have permission to decide/);
    expect(found?.failure?.requestId).toBe('r-1');
  });
  it('is a session that is not live, or a console that is gone', () => {
    expect(sentence(mission(), failure)).toBe('The service refused this.');
    expect(obstacleTo(mission(), undefined, { state: 'lost', since: 0 }, 0)?.sentence).toMatch(
      /^Disconnected from the console/,
    );
  });
  it('is the time that the service asks for, until it is over', () => {
    const refused = mission({
      decided: decided({ outcome: 'refused', failure: { ...failure, retryAt: 100 } }),
    });
    expect(sentence(refused, null, 99)).toMatch(/asks to wait/);
    expect(sentence(refused, null, 100)).toBeNull();
  });
  it('is nothing after a conflict while the mission is pending', () => {
    expect(sentence(mission({ decided: decided({ outcome: 'conflict' }) }))).toBeNull();
  });
  it.each(['approve', 'reject', 'gone', 'other'] as const)(
    'is what the service said after a conflict: %s',
    (state) => {
      const one = mission({ state, decided: decided({ outcome: 'conflict' }) });
      expect(sentence(one)).toBe('The mission is no longer pending.');
      expect(isSettled(one)).toBe(true);
    },
  );
});

describe('what is typed to confirm', () => {
  it('is the whole of a short id, and the end of a long one', () => {
    expect(typedTarget('m-1')).toEqual({ text: 'm-1', whole: true });
    expect(typedTarget('x'.repeat(40) + '12345678')).toEqual({ text: '12345678', whole: false });
    expect(typedTarget('🛰'.repeat(30)).text).toBe('🛰'.repeat(8));
  });
  it('has marks for what is hidden in the id', () => {
    const target = typedTarget('m-1\u200b');
    expect(target).toEqual({ text: 'm-1[U+200B]', whole: true });
    expect(isTyped(target, 'm-1')).toBe(false);
    expect(isTyped(target, 'm-1[U+200B]')).toBe(true);
  });
  it('is nothing less, and no other letters', () => {
    const target = typedTarget('m-1');
    expect(isTyped(target, ' m-1 ')).toBe(true);
    expect(isTyped(target, 'M-1')).toBe(false);
    expect(isTyped(target, 'm-')).toBe(false);
    expect(isTyped({ text: '', whole: true }, '')).toBe(false);
  });
});

describe('a mission in words', () => {
  it('has the name that its fields give it', () => {
    const fields = [
      { name: 'name', json: '42' },
      { name: 'Title', json: '"  "' },
      { name: 'label', json: '"North dyke"' },
    ];
    expect(missionName(mission({ fields }))).toBe('North dyke');
    expect(missionName(mission())).toBeNull();
  });
  it('is told by what it is for and where, in the order of what says most', () => {
    const fields = [
      { name: 'type', json: '"flight"' },
      { name: 'Purpose', json: '"Inspect a bridge"' },
      { name: 'location', json: '{"latitude":1}' },
      { name: 'site', json: '" Harbour "' },
    ];
    expect(missionTitle(mission({ fields }))).toBe('Inspect a bridge');
    expect(missionTitle(mission({ fields: fields.slice(0, 1) }))).toBe('flight');
    expect(missionTitle(mission({ fields: [{ name: 'title', json: '"Dyke"' }] }))).toBe('Dyke');
    expect(missionTitle(mission({ fields: [{ name: 'type', json: '3' }, ...fields.slice(0, 1)] }))).toBe(
      'flight',
    );
    expect(missionTitle(mission())).toBeNull();
  });
  it('has what is decided by under the usual names, in one order, and nothing else', () => {
    const fields = [
      { name: 'requested_by', json: '"planner-2"' },
      { name: 'location', json: '{"latitude":1}' },
      { name: 'site', json: '" Harbour "' },
      { name: 'Risk_Level', json: '3' },
      { name: 'drone_id', json: '"uav-04"' },
      { name: 'incident_id', json: 'null' },
      { name: 'payload', json: '"camera"' },
    ];
    expect(missionFacts(mission({ fields }))).toEqual([
      { name: 'risk', text: '3' },
      { name: 'place', text: 'Harbour' },
      { name: 'drone', text: 'uav-04' },
      { name: 'by', text: 'planner-2' },
    ]);
    expect(missionFacts(mission())).toEqual([]);
  });
  it('reads a time only with its zone', () => {
    expect(momentOf('2026-11-27T16:41:00Z')).toBe(Date.UTC(2026, 10, 27, 16, 41));
    expect(momentOf('2026-11-27T16:41:00+01:00')).toBe(Date.UTC(2026, 10, 27, 15, 41));
    for (const text of ['2026-11-27T16:41:00', 'tomorrow', '2026-13-40T99:00:00Z'])
      expect(momentOf(text)).toBeNull();
  });
  it('is as old as the service says, else known for a time', () => {
    const now = 90 * 60_000;
    const seenAt = now - 5 * 60_000;
    expect(missionAge(mission({ seenAt, requestedAt: now - 70 * 60_000 }), now)).toBe('1\u00a0h');
    expect(missionAge(mission({ seenAt }), now)).toBe('known for 5\u00a0min');
    expect(isSettled(mission())).toBe(false);
    expect(isSettled(null)).toBe(false);
  });
  it('shows texts without quotes and everything else as it came', () => {
    expect(valueText('"a \\"b\\""')).toBe('a "b"');
    expect(valueText('{"a":1}')).toBe('{"a":1}');
    expect(valueText('"cut sho')).toBe('"cut sho');
  });
  it('says how it stands', () => {
    expect(stateWords(mission())).toBe('Pending');
    expect(stateWords(mission({ decided: decided({ outcome: 'unknown' }) }))).toBe('Outcome unknown');
    expect(stateWords(mission({ decided: decided({ decision: 'reject' }) }))).toBe('Rejected');
    expect(stateWords(mission({ decided: decided({ outcome: 'refused' }) }))).toBe('Approval refused');
    expect(stateWords(mission({ decided: decided({ outcome: 'refused' }), notGranted: failure }))).toBe(
      'No permission',
    );
  });
  it('is neither approved nor refused by a list: that it was not sent, and what the list showed, is said', () => {
    const open = (outcome: Decided['outcome'], listed: boolean | null): string => {
      const listCheck = listed === null ? null : { at: Date.UTC(2026, 10, 22, 20, 1, 32), listed };
      const one = decided({ outcome, listCheck });
      return `${stateWords(mission({ decided: one }))}. ${String(listCheckWords(one, 'utc'))}`;
    };
    expect(open('not-sent', null)).toBe('Approval not sent. null');
    expect(open('unknown', null)).toBe('Outcome unknown. null');
    expect(open('unknown', true)).toBe(
      'Outcome unknown. Still listed as pending at 20:01:32 UTC. The list may lag.',
    );
    expect(open('unknown', false)).toMatch(
      /^Outcome unknown\. Not listed as pending at .* proves nothing\.$/,
    );
    expect(open('no-longer-listed', false)).toMatch(/^No longer listed\. No longer listed as pending at /);
    // What was answered since says more than any list.
    expect(open('done', true)).toBe('Approved. null');
  });
  it('waits for the operator until it is decided', () => {
    expect(
      undecided([
        mission(),
        mission({ decided: decided({ outcome: 'unknown' }) }),
        mission({ decided: decided({ outcome: 'done' }) }),
        mission({ decided: decided({ outcome: 'conflict' }) }),
        mission({ decided: decided({ outcome: 'no-longer-listed' }) }),
        mission({ decided: decided({ outcome: 'not-sent' }) }),
      ]),
    ).toBe(3);
  });
});

describe('pending missions that read alike', () => {
  const named = (id: string, name: string): Mission =>
    mission({ id, fields: [{ name: 'title', json: JSON.stringify(name) }] });

  it.each([
    ['by an invisible character', 'deliver-17', 'deliver-17\u200b'],
    ['by a letter of another alphabet', 'deliver-17', 'd\u0435liver-17'],
    ['by a digit that looks like a letter', 'deliver-17', 'deliver-l7'],
  ])('are told %s in the id', (_, one, other) => {
    const alike = missionsAlike([mission({ id: one }), mission({ id: 'else' }), mission({ id: other })]);
    expect([...alike]).toEqual([
      [one, [other]],
      [other, [one]],
    ]);
  });

  it('are told by names of other texts, not by the same name', () => {
    const survey = [named('a', 'Survey east'), named('b', 'Survey east')];
    expect(missionsAlike(survey).size).toBe(0);
    const alike = missionsAlike([...survey, named('c', 'Survey\u00a0e\u0430st')]);
    expect(alike.get('c')).toEqual(['a', 'b']);
  });

  it('are none with one that is settled', () => {
    expect(missionsAlike([mission({ id: 'x1' }), mission({ id: 'xl', state: 'approve' })]).size).toBe(0);
  });
});
