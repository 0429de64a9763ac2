import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readPosition,
  type PositionFields,
  type PositionRule,
} from '../../../../src-main/core/features/drones/positionReader.ts';
import { casesOf } from '../../../support/campaign.ts';

const read = (payload: unknown, rule: PositionRule = 'auto', kind = 'telemetry') =>
  readPosition({ kind, payload, knowsIncident: (id) => id.startsWith('INC-') }, rule);
const here = { latitude: 48.2, longitude: 16.4 };
const nothingElse = { altitude: null, speed: null, heading: null, takenAt: null };

describe('a position that is found without being named', () => {
  it.each([
    ['in the payload itself', { drone_id: 'd-1', ...here }],
    ['in its location', { droneId: 'd-1', location: here }],
    ['in its position', { drone: 'd-1', position: here }],
    ['in its telemetry', { vehicle_id: 'd-1', telemetry: here }],
    ['under the plain name of an id', { id: 'd-1', ...here }],
    ['with the id beside the numbers', { telemetry: { drone_id: 'd-1', ...here } }],
  ])('%s', (_, payload) => {
    expect(read(payload)).toEqual({ id: 'd-1', ...here, ...nothingElse });
  });

  it('has altitude, speed and heading from beside the place, or from the payload', () => {
    const position = { ...here, altitude: 120.5, heading: 360 };
    expect(read({ drone: 'd-1', speed: -3, position })).toEqual({
      id: 'd-1',
      ...here,
      altitude: 120.5,
      speed: -3,
      heading: 0,
      takenAt: null,
    });
  });

  it.each([-1, 360.1, '90', null, NaN])('has no heading that is no direction: %s', (heading) => {
    expect(read({ drone: 'd-1', ...here, heading })).toMatchObject({ ...here, heading: null });
  });

  it('names a drone by a number that the service uses as an id', () => {
    expect(read({ vehicle_id: 17, ...here })?.id).toBe('17');
  });

  it('prefers a name that says what it is to a plain id, wherever both stand', () => {
    expect(read({ id: 'event-9', telemetry: { ...here, drone_id: 'd-1' } })?.id).toBe('d-1');
  });

  it.each([
    ['a latitude that there is not', { drone: 'd-1', latitude: 90.01, longitude: 16 }],
    ['the two swapped, where that shows', { drone: 'd-1', latitude: 116.4, longitude: 48.2 }],
    ['a longitude that there is not', { drone: 'd-1', latitude: 48, longitude: -180.5 }],
    ['numbers as texts', { drone: 'd-1', latitude: '48.2', longitude: '16.4' }],
    ['no number', { drone: 'd-1', latitude: NaN, longitude: 16 }],
    ['0,0, which is what a receiver without a fix says', { drone: 'd-1', latitude: 0, longitude: 0 }],
    ['half a place', { drone: 'd-1', latitude: 48 }],
    ['names that only resemble', { drone: 'd-1', lat: 48.2, lon: 16.4 }],
    ['no name', here],
    ['a blank name', { drone: '  ', ...here }],
    ['a name with a line break', { drone: 'd\n1', ...here }],
    ['a name that is too long', { drone: 'd'.repeat(129), ...here }],
    ['a name that is an object', { drone: { id: 'd-1' }, ...here }],
    ['a place that lies deeper', { drone: 'd-1', telemetry: { location: here } }],
    ['a list', [{ drone: 'd-1', ...here }]],
    ['an incident’s place', { id: 'x', incident_type: 'fire', location: here }],
    ['a known incident’s place', { id: 'INC-1', location: here }],
    ['where evidence was collected', { drone: 'd-1', cid: 'bafy', location: here }],
    ['members of the prototype', JSON.parse('{"drone":"d-1","__proto__":{"latitude":1,"longitude":2}}')],
  ])('is none: %s', (_, payload) => {
    expect(read(payload)).toBeNull();
  });

  it.each(['incident.created', 'evidence.added', 'MissionPlanned'])(
    'is none in an event of kind %s',
    (kind) => {
      expect(read({ drone_id: 'd-1', location: here }, 'auto', kind)).toBeNull();
    },
  );
});

const fields: PositionFields = {
  id: 'craft.name',
  latitude: 'at.lat',
  longitude: 'at.lon',
  altitude: 'at.alt',
  heading: 'course',
  speed: 'knots',
  at: 'time',
};

describe('a plain id', () => {
  it.each([
    ['by the event', 'fleet.telemetry', { id: 'd-1', ...here }],
    ['by the event in words of another spelling', 'DronePosition', { id: 'd-1', ...here }],
    ['by a kind', 'message', { id: 'd-1', kind: 'drone', ...here }],
    ['by a type beside the place', 'message', { id: 'd-1', position: { type: 'UAV', ...here } }],
    ['by the object telemetry', 'message', { id: 'd-1', telemetry: here }],
    [
      'by the event, where the type only says what it is',
      'vehicle',
      { id: 'd-1', type: 'position.update', ...here },
    ],
  ])('is a drone’s where that is said: %s', (_, kind, payload) => {
    expect(read(payload, 'auto', kind)?.id).toBe('d-1');
  });

  it.each([
    ['a ground team', 'message', { operator_id: 'o-1', id: 'person-7', kind: 'ground_team', ...here }],
    ['a ground team among the telemetry', 'telemetry', { id: 'person-7', kind: 'ground_team', ...here }],
    ['a person', 'position', { id: 'person-7', type: 'person', location: here }],
    ['nothing says what', 'position.update', { id: 'x-1', ...here }],
    ['a shelter', 'message', { id: 's-1', category: 'shelter', ...here }],
    ['in an object that is not called telemetry', 'message', { id: 'x-1', location: here }],
  ])('is none: %s', (_, kind, payload) => {
    expect(read(payload, 'auto', kind)).toBeNull();
  });

  it('is not needed where a member is called drone or vehicle', () => {
    expect(read({ vehicle_id: 'v-1', type: 'ambulance', ...here }, 'auto', 'message')?.id).toBe('v-1');
  });
});

describe('a position in fields that the deployment names', () => {
  const payload = { craft: { name: 'd-1' }, at: { lat: 48.2, lon: 16.4, alt: 90 }, course: 12, knots: 8 };

  it('is read from these, whatever else the event holds', () => {
    const event = { ...payload, cid: 'bafy', drone_id: 'other', latitude: 1, longitude: 2 };
    const found = { id: 'd-1', ...here, altitude: 90, heading: 12, speed: 8, takenAt: null };
    expect(read(event, fields, 'incident.track')).toEqual(found);
  });

  it.each([
    ['2026-11-26T12:00:00Z', Date.UTC(2026, 10, 26, 12)],
    [1_795_694_400, 1_795_694_400_000],
    [1_795_694_400_000, 1_795_694_400_000],
    ['yesterday', null],
    [{}, null],
  ])('has its own time: %s', (time, takenAt) => {
    expect(read({ ...payload, time }, fields)?.takenAt).toBe(takenAt);
  });

  it('is not looked for elsewhere', () => {
    expect(read({ drone_id: 'd-1', ...here }, fields)).toBeNull();
    expect(read({ ...payload, at: { lat: '48.2', lon: 16.4 } }, fields)).toBeNull();
    expect(read(payload, { ...fields, latitude: '__proto__.lat' })).toBeNull();
    expect(read(payload, { ...fields, id: 'craft.constructor.name' })).toBeNull();
  });
});

it('is nothing that is taken where the deployment wants none', () => {
  expect(read({ drone_id: 'd-1', ...here }, 'off')).toBeNull();
});

const names = [
  'drone',
  'drone_id',
  'id',
  'latitude',
  'longitude',
  'heading',
  'location',
  'telemetry',
  '__proto__',
  'at',
];
const junk = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, true, NaN, Infinity, -0, 0, 90, 181, '48.2', ''),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value')),
  ),
})).value;

it('is, out of whatever an event holds, a place on earth with a name, or nothing', () => {
  const rules: readonly PositionRule[] = [
    'auto',
    { id: 'drone', latitude: 'at.latitude', longitude: 'at.longitude', at: 'id' },
  ];
  fc.assert(
    fc.property(junk, fc.constantFrom(...rules), fc.string(), (payload, rule, kind) => {
      const position = read(payload, rule, kind);
      if (position === null) return;
      const { id, latitude, longitude, altitude, heading, speed, takenAt } = position;
      expect(id.length).toBeGreaterThan(0);
      expect(id.length).toBeLessThanOrEqual(128);
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      expect(latitude === 0 && longitude === 0).toBe(false);
      for (const number of [altitude, speed, takenAt])
        if (number !== null) expect(number).toSatisfy(Number.isFinite);
      if (heading !== null) expect(heading).toSatisfy((degrees: number) => degrees >= 0 && degrees < 360);
    }),
    { numRuns: casesOf({ part: 1_000, whole: 20_000 }) },
  );
});
