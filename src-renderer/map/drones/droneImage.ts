import { droneGlyph } from '../../design/glyphs.ts';
import type { MapTheme } from '../theme.ts';

/** The size of a drone, CSS pixels. */
export const dronePx = 26;
const glyphBox = 24;
/** Of an image with the room that it turns in. */
export const imagePx = 46;
const ringRadius = 17;

/** Which of the images of `paintDrones` a drone has. */
export const imageOf = ({
  heading,
  silent,
}: {
  readonly heading: number | null;
  readonly silent: boolean;
}): number => (heading === null ? 0 : 1) + (silent ? 2 : 0);
/** What lies under the chosen one. */
export const ringImage = 4;
export const imageCount = 5;

/** All images side by side, in a theme. */
export function paintDrones(
  context: CanvasRenderingContext2D,
  theme: MapTheme,
  pixelRatio: number,
): ImageData {
  const pixels = Math.round(imagePx * pixelRatio);
  // Sets everything else of the context back.
  context.canvas.width = pixels * imageCount;
  context.canvas.height = pixels;
  for (let image = 0; image < imageCount; image += 1) {
    context.setTransform(pixelRatio, 0, 0, pixelRatio, (image + 0.5) * pixels, pixels / 2);
    if (image === ringImage) {
      drawRing(context, theme);
      continue;
    }
    context.scale(dronePx / glyphBox, dronePx / glyphBox);
    context.translate(-glyphBox / 2, -glyphBox / 2);
    drawDrone(context, { pointed: image % 2 === 1, silent: image >= 2 }, theme);
  }
  return context.getImageData(0, 0, pixels * imageCount, pixels);
}

function drawRing(context: CanvasRenderingContext2D, theme: MapTheme): void {
  const width = 1 + theme.stroke;
  context.beginPath();
  context.arc(0, 0, ringRadius, 0, 2 * Math.PI);
  context.globalAlpha = 0.7;
  context.fillStyle = theme.surface;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(0, 0, ringRadius + width / 2, 0, 2 * Math.PI);
  context.strokeStyle = theme.accent;
  context.lineWidth = width;
  context.stroke();
}

/**
 * Draws a drone as it is seen from above: neither a severity's shape nor its colour. A silent one is an outline in the
 * colour of the map's names, so that it differs without colour too.
 */
function drawDrone(
  context: CanvasRenderingContext2D,
  { pointed, silent }: { readonly pointed: boolean; readonly silent: boolean },
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

/** Red, green and blue of a colour of a theme, 0 to 1. */
export function colourParts(
  context: CanvasRenderingContext2D,
  colour: string,
): readonly [number, number, number] {
  context.resetTransform();
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}
