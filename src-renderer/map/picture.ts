import type { Map as GlMap } from 'maplibre-gl';
import { mapFont } from './font.ts';
import type { MapTheme } from './theme.ts';

/** Tiles that do not come, and pulses that do not end, must not keep a sheet from being made; milliseconds. */
const settledWithinMs = 4_000;
/** Pixels: enough for a sheet's width at 220 dots per inch. */
const widest = 1_640;
const edge = 12;
const barHeight = 4;

/** Draws the map, once it is at rest, with its attribution and a scale: paper has no controls. */
export async function takePicture(map: GlMap, theme: MapTheme): Promise<Blob | null> {
  await atRest(map);
  const canvas = await copied(map);
  if (canvas === null) return null;
  const perCssPixel = canvas.width / Math.max(1, map.getContainer().clientWidth);
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.scale(perCssPixel, perCssPixel);
  drawScale(pen, { map, theme });
  drawAttribution(pen, { map, theme });
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}

function atRest(map: GlMap): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, settledWithinMs);
    map.once('idle', () => {
      clearTimeout(timer);
      resolve();
    });
    map.triggerRepaint();
  });
}

/** The drawing buffer is emptied after each frame: it can be copied only while one is drawn. */
function copied(map: GlMap): Promise<HTMLCanvasElement | null> {
  return new Promise((resolve) => {
    map.once('render', () => {
      const drawn = map.getCanvas();
      const scale = Math.min(1, widest / Math.max(1, drawn.width));
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.round(drawn.width * scale));
      canvas.height = Math.max(1, Math.round(drawn.height * scale));
      // Opaque, as the console takes it: what is transparent costs a sheet ten times as much.
      const pen = canvas.getContext('2d', { alpha: false });
      pen?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
      resolve(pen && canvas);
    });
    map.triggerRepaint();
  });
}

/** `500 m`, `2 km`: the longest of 1, 2 and 5 times a power of ten that is not longer than `most` metres. */
export function scaleLength(most: number): { readonly metres: number; readonly words: string } {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const metres = (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power;
  return { metres, words: metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m` };
}

interface Drawn {
  readonly map: GlMap;
  readonly theme: MapTheme;
}

/** In the lower left corner; true in the middle of the map, whose scale grows towards the poles. */
function drawScale(pen: CanvasRenderingContext2D, { map, theme }: Drawn): void {
  const { clientWidth, clientHeight } = map.getContainer();
  const [x, y, span] = [clientWidth / 2, clientHeight / 2, 100];
  const across = map.unproject([x - span / 2, y]).distanceTo(map.unproject([x + span / 2, y]));
  if (!(across > 0)) return;
  const { metres, words } = scaleLength((across / span) * 140);
  const width = (metres / across) * span;
  write(pen, { theme, words, x: edge, y: clientHeight - edge - barHeight - 5, align: 'left' });
  pen.fillStyle = theme.surface;
  pen.fillRect(edge - 1.5, clientHeight - edge - barHeight - 1.5, width + 3, barHeight + 3);
  pen.fillStyle = theme.text;
  pen.fillRect(edge, clientHeight - edge - barHeight, width, barHeight);
}

function drawAttribution(pen: CanvasRenderingContext2D, { map, theme }: Drawn): void {
  const container = map.getContainer();
  const words = container.querySelector('.maplibregl-ctrl-attrib-inner')?.textContent.trim() ?? '';
  const { clientWidth, clientHeight } = container;
  write(pen, { theme, words, x: clientWidth - edge, y: clientHeight - edge, align: 'right' });
}

function write(
  pen: CanvasRenderingContext2D,
  text: {
    readonly theme: MapTheme;
    readonly words: string;
    readonly x: number;
    readonly y: number;
    readonly align: 'left' | 'right';
  },
): void {
  pen.font = `600 12px "${mapFont}", sans-serif`;
  pen.textAlign = text.align;
  pen.lineJoin = 'round';
  pen.lineWidth = 3;
  pen.strokeStyle = text.theme.surface;
  pen.strokeText(text.words, text.x, text.y);
  pen.fillStyle = text.theme.text;
  pen.fillText(text.words, text.x, text.y);
}
