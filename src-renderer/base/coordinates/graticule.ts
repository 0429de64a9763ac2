import type { CoordinateFormat } from '../../../src-preload/contract/index.ts';
import type { GridDrawing, GridLabel, GridLine, GridView } from '../../map/gridOverlay.ts';

/** Lines at least this far apart, in pixels. */
const leastGap = 96;

/** Steps in seconds of arc, so that no line drifts: decimal ones for those who read decimal degrees. */
const wholeDegrees = [324_000, 162_000, 108_000, 72_000, 36_000, 18_000, 7_200, 3_600];
const decimalSteps = [...wholeDegrees, 1_800, 720, 360, 180, 72, 36, 18, 7.2, 3.6];
const sexagesimalSteps = [...wholeDegrees, 1_800, 600, 300, 120, 60, 30, 10, 5, 2, 1];

/**
 * Meridians and parallels of a view, as dense as can be read, named at its upper and left edge. In decimal
 * degrees for those who chose them, in degrees, minutes and seconds for everybody else.
 */
export function graticule(view: GridView, format: CoordinateFormat): GridDrawing {
  const steps = format === 'dd' ? decimalSteps : sexagesimalSteps;
  const fits = (step: number): boolean => (step / 3_600) * view.pixelsPerDegree >= leastGap;
  const step = steps.findLast(fits) ?? 324_000;
  const name = (seconds: number, positive: string, negative: string): string =>
    `${seconds === 0 ? '0°' : angle(Math.abs(seconds), step, format)}${sideOf(seconds, positive, negative)}`;

  const south = Math.max(-90, view.south);
  const north = Math.min(90, view.north);
  const lines: GridLine[] = [];
  const labels: GridLabel[] = [];
  for (const seconds of multiples(view.west, view.east, step)) {
    const longitude = seconds / 3_600;
    const wrapped = ((((seconds + 648_000) % 1_296_000) + 1_296_000) % 1_296_000) - 648_000;
    lines.push({
      points: [
        [longitude, south],
        [longitude, north],
      ],
      main: wrapped === 0 || wrapped === -648_000,
    });
    labels.push({
      at: [longitude, Math.min(north, view.namesNorth)],
      text: name(wrapped, 'E', 'W'),
      place: 'top',
    });
  }
  for (const seconds of multiples(south, north, step)) {
    const latitude = seconds / 3_600;
    lines.push({
      points: [
        [view.west, latitude],
        [view.east, latitude],
      ],
      main: seconds === 0,
    });
    labels.push({ at: [view.west, latitude], text: name(seconds, 'N', 'S'), place: 'left' });
  }
  return { lines, labels };
}

/** The antimeridian and the equator are on neither side. */
const sideOf = (seconds: number, positive: string, negative: string): string => {
  if (seconds === 0 || seconds === -648_000) return '';
  return seconds < 0 ? ` ${negative}` : ` ${positive}`;
};

function multiples(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil((from * 3_600) / step - 1e-9);
  const last = Math.floor((to * 3_600) / step + 1e-9);
  const count = Math.max(0, Math.min(400, last - first + 1));
  return Array.from({ length: count }, (_, at) => (first + at) * step);
}

function angle(seconds: number, step: number, format: CoordinateFormat): string {
  if (format === 'dd' || step >= 3_600) {
    const digits = step >= 3_600 ? 0 : step >= 360 ? 1 : step >= 36 ? 2 : 3;
    return `${(seconds / 3_600).toFixed(digits)}°`;
  }
  const degrees = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = seconds % 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${degrees}°${two(minutes)}′${step >= 60 ? '' : `${two(rest)}″`}`;
}
