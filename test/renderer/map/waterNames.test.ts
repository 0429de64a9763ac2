import { expect, test } from 'vitest';
import { nameLines } from '../../../build/name-lines.ts';
import { lakeName, riverName } from '../../../build/water-names.ts';

/** Pixels of a line at a zoom near the equator, where a degree is as long both ways. */
const lengthPx = (line: readonly (readonly number[])[], zoom: number): number =>
  line
    .slice(1)
    .reduce(
      (sum, [lng = 0, lat = 0], at) =>
        sum + Math.hypot(lng - (line[at]?.[0] ?? 0), lat - (line[at]?.[1] ?? 0)),
      0,
    ) *
  ((512 * 2 ** zoom) / 360);

/** The sharpest turn of a line, in degrees. */
function sharpestTurn(line: readonly (readonly number[])[]): number {
  const headings = line
    .slice(1)
    .map(([lng = 0, lat = 0], at) => Math.atan2(lat - (line[at]?.[1] ?? 0), lng - (line[at]?.[0] ?? 0)));
  const turns = headings.slice(1).map((heading, at) => {
    const turn = Math.abs(heading - (headings[at] ?? 0));
    return (Math.min(turn, 2 * Math.PI - turn) * 180) / Math.PI;
  });
  return Math.max(0, ...turns);
}

/** A river from west to east that turns to and fro, `degrees` long, in steps of 0.1 degrees. */
const winding = (degrees: number): [number, number][] =>
  Array.from({ length: Math.round(degrees * 10) + 1 }, (_, at) => [at / 10, at % 2 === 0 ? 0.05 : -0.05]);

test('a winding river is named along a line that hardly turns', () => {
  const river = winding(3);
  expect(sharpestTurn(river)).toBeGreaterThan(80);
  const [line = [], ...others] = nameLines([river], 6);
  expect(others).toEqual([]);
  expect(sharpestTurn(line)).toBeLessThan(15);
  expect(lengthPx(line, 6)).toBeGreaterThan(120);
});

test('pieces that meet are one line, whatever their order and direction, and too short ones carry no name', () => {
  const river = winding(3);
  const pieces = [river.slice(12, 31), river.slice(0, 7).toReversed(), river.slice(6, 13)];
  expect(nameLines(pieces, 6)).toHaveLength(1);
  expect(nameLines([river.slice(0, 5)], 6)).toEqual([]);
  expect(nameLines([river.slice(0, 5), river.slice(12, 17)], 6)).toEqual([]);
});

test('a long river is named again and again, on its straightest stretches', () => {
  // Straight in the first half of each part, winding in the other.
  const river = Array.from({ length: 401 }, (_, at): [number, number] => [
    at / 10,
    at % 100 < 50 || at % 2 === 0 ? 0 : 0.8,
  ]);
  const lines = nameLines([river], 6);
  expect(lines.length).toBeGreaterThan(3);
  const straight = lines.filter((line) => line.every(([, lat = NaN]) => Math.abs(lat) < 0.05));
  expect(straight.length).toBeGreaterThan(1);
});

test('branches that meet in one place are not taken for one river', () => {
  const at = (degrees: number): [number, number] => [
    5 * Math.cos((degrees * Math.PI) / 180),
    5 * Math.sin((degrees * Math.PI) / 180),
  ];
  const branches = [0, 120, 240].map((degrees) => [[0, 0], at(degrees)] as [number, number][]);
  expect(nameLines(branches, 6)).toHaveLength(3);
});

test.each([
  ['Pijnne', 'Päijänne'],
  ['Zhalauly Kli', 'Zhalauly Köli'],
  ['Burdur Gl', 'Burdur Gölü'],
  ['Lago de  Erepecu', 'Lago de Erepecu'],
  ['Lake Ontario', 'Lake Ontario'],
  ['Liman near Odessa', null],
  ['', null],
  [undefined, null],
])('a lake that is written %s is named %s', (written, name) => {
  expect(lakeName(written)).toBe(name);
});

test('a river’s name has one space between two words and the letters that it lost', () => {
  expect(riverName('São  Francisco')).toBe('São Francisco');
  expect(riverName('Kiz?lirmak')).toBe('Kızılırmak');
  expect(riverName(undefined)).toBeNull();
});
