import { droneGlyph } from '../design/glyphs.ts';
import type { MapTheme } from './theme.ts';

/** The size of a drone, CSS pixels. */
export const dronePx = 26;

interface DroneLook {
  /** Its heading is known: a wedge points north, for the map to turn. */
  readonly pointed: boolean;
  readonly silent: boolean;
}

const prefix = 'drone';
export const droneIcon = ({ pointed, silent }: DroneLook): string =>
  [prefix, pointed ? 'pointed' : 'round', silent ? 'silent' : 'heard'].join('-');

/** What the name of an image asks for; null for one that is no drone. */
export function readDroneIcon(name: string): DroneLook | null {
  const [kind, shape, state] = name.split('-');
  return kind === prefix ? { pointed: shape === 'pointed', silent: state === 'silent' } : null;
}

/**
 * Draws a drone as it is seen from above, in a box of 24 by 24: neither a severity's shape nor its colour. A silent one
 * is an outline in the colour of the map's names, so that it differs without colour too.
 */
export function drawDrone(
  context: CanvasRenderingContext2D,
  { pointed, silent }: DroneLook,
  theme: MapTheme,
): void {
  const { rotors, rotorRadius, arms, nose } = droneGlyph;
  const discs = new Path2D();
  for (const [x, y] of rotors) {
    discs.moveTo(x + rotorRadius, y);
    discs.arc(x, y, rotorRadius, 0, 2 * Math.PI);
  }
  const body = new Path2D(arms);
  const front = new Path2D(pointed ? nose : '');
  const colour = silent ? theme.mapLabel : theme.text;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  // An edge, so that it stands apart from what lies under it.
  context.strokeStyle = theme.surface;
  context.lineWidth = 5;
  for (const part of [body, discs, front]) context.stroke(part);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.stroke(body);
  context.fillStyle = silent ? theme.surface : colour;
  context.fill(discs);
  context.lineWidth = silent ? 1.6 : 1;
  context.stroke(discs);
  context.fillStyle = colour;
  context.fill(front);
}
