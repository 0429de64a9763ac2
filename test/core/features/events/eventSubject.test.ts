import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../../src-main/core/features/events/eventSubject.ts';

const knowsIncident = (id: string): boolean => id === 'INC-1';
const about = (kind: string, data: unknown) =>
  subjectOf(
    { kind, data: typeof data === 'string' ? data : JSON.stringify(data) },
    'operation_ref',
    knowsIncident,
  );

describe('what an event is about', () => {
  it.each([
    ['a known incident in any member', 'x', { a: 'INC-1' }, 'INC-1'],
    ['a known incident one level down', 'x', { a: { b: 'INC-1' } }, 'INC-1'],
    ['a known incident in a list', 'x', { a: ['INC-2', 'INC-1'] }, 'INC-1'],
    ['a known incident two levels down', 'x', { a: { b: { c: 'INC-1' } } }, null],
    ['a known incident that is the whole', 'x', '"INC-1"', 'INC-1'],
    ['one that is named and not known', 'x', { incident_id: 'INC-9' }, 'INC-9'],
    ['one that is named otherwise', 'x', { incidentId: 'INC-9' }, 'INC-9'],
    ['one that is an object with an id', 'x', { incident: { id: 'INC-9' } }, 'INC-9'],
    ['the named before another that is known', 'x', { other: 'INC-1', incident: 'INC-9' }, 'INC-9'],
    ['an id where the kind tells', 'incident.created', { id: 'INC-9' }, 'INC-9'],
    ['an id where the kind does not tell', 'x', { id: 'INC-9' }, null],
    ['a whole number that is an id', 'x', { incident_id: 9 }, '9'],
    ['a number that is none', 'x', { incident_id: 9.5, count: 9 }, null],
    ['an empty text', 'x', { incident_id: '' }, null],
    ['a text that is no JSON', 'x', 'INC-1 burns', null],
    ['more values than are read', 'x', { incident_id: 'INC-9', a: { b: Array(20_000).fill(1) } }, null],
    ['JSON that is broken', 'x', '{"incident_id":"INC-9"', null],
  ])('finds %s', (_, kind, data, incidentId) => {
    expect(about(kind, data)).toMatchObject({ incidentId, incident: incidentId !== null });
  });

  it('knows by the kind alone that it is about incidents', () => {
    expect(about('IncidentsChanged', 'no JSON')).toMatchObject({ incident: true, incidentId: null });
  });

  it.each([
    ['the deployment’s own field', 'x', { operation_ref: 'M-1' }, 'M-1'],
    ['that field one level down', 'x', { data: { operation_ref: 'M-1' } }, 'M-1'],
    ['mission_id', 'x', { mission_id: 'M-1' }, 'M-1'],
    ['missionId', 'x', { missionId: 'M-1' }, 'M-1'],
    ['an object with an id', 'x', { mission: { id: 'M-1' } }, 'M-1'],
    ['an id where the kind tells', 'mission.pending', { id: 'M-1' }, 'M-1'],
    ['an id in camel case', 'pendingMission', { id: 'M-1' }, 'M-1'],
    ['an id in capitals', 'PENDING_MISSION', { id: 'M-1' }, 'M-1'],
    ['no permission', 'permission.granted', { id: 'P-1' }, null],
    ['no id that cannot be typed', 'mission', { id: 'M\u00001' }, null],
    ['no id that is too long', 'mission', { id: 'M'.repeat(300) }, null],
  ])('finds a mission by %s', (_, kind, data, missionId) => {
    expect(about(kind, data)).toMatchObject({ missionId });
  });

  it('takes a field that is called `id` for a mission’s only where the kind says so', () => {
    const data = '{"id":"M-1"}';
    expect(subjectOf({ kind: 'x', data }, 'id', knowsIncident).missionId).toBeNull();
    expect(subjectOf({ kind: 'mission', data }, 'id', knowsIncident).missionId).toBe('M-1');
  });

  it('knows evidence by its kind or a CID', () => {
    expect(about('evidence.added', '').evidence).toBe(true);
    expect(about('x', { cid: 'bafy' }).evidence).toBe(true);
    expect(about('x', { a: 1 }).evidence).toBe(false);
  });

  it('takes whatever comes', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.json(), fc.string()), (kind, data) => {
        const { incidentId, missionId } = subjectOf({ kind, data }, 'operation_ref', knowsIncident);
        expect(incidentId?.isWellFormed() ?? true).toBe(true);
        expect(missionId?.isWellFormed() ?? true).toBe(true);
      }),
    );
    expect(about('x', '['.repeat(100_000))).toMatchObject({ incident: false });
    expect(about('x', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toMatchObject({ incident: false });
    expect(about('x', '{"__proto__":{"incident_id":"INC-9"}}')).toMatchObject({ incidentId: 'INC-9' });
  });
});
