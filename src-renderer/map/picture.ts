import type { Map as GlMap } from 'maplibre-gl';
import { mapFontFamily } from './font.ts';
import { isRightToLeft } from './labelText.ts';
import type { ScaleBar } from './scaleBar.ts';
import type { MapTheme } from './theme.ts';

/** Tiles that do not come, and a map that draws no more, must not keep a sheet from being made; milliseconds. */
const withinMs = 4_000;
/** Pixels: enough for a sheet's width at 220 dots per inch. */
const widest = 1_640;
/** Of the scale, in CSS pixels. */
const widestScale = 140;
const edge = 12;
const barHeight = 4;

export interface PictureOptions {
  readonly map: GlMap;
  readonly theme: MapTheme;
  readonly scale: Pick<ScaleBar, 'within'>;
}

/**
 * Draws the map, once it is at rest, with its attribution and a scale: paper has no controls. Null when it
 * draws no more, as after it lost its graphics.
 */
export async function takePicture(options: PictureOptions): Promise<Blob | null> {
  const { map } = options;
  await heard(map, 'idle', () => undefined);
  const canvas = await heard(map, 'render', () => copied(options));
  const pen = canvas?.getContext('2d') ?? null;
  if (!canvas || pen === null) return null;
  const perCssPixel = canvas.width / Math.max(1, map.getContainer().clientWidth);
  pen.scale(perCssPixel, perCssPixel);
  drawScale(pen, options);
  drawAttribution(pen, options);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}

/** What `take` makes within the next such event of the map; null when there was none for so long. */
function heard<T>(map: GlMap, name: 'idle' | 'render', take: () => T): Promise<T | null> {
  return new Promise((resolve) => {
    const hear = (): void => {
      clearTimeout(timer);
      resolve(take());
    };
    const timer = setTimeout(() => {
      map.off(name, hear);
      resolve(null);
    }, withinMs);
    map.once(name, hear);
    map.triggerRepaint();
  });
}

/** The drawing buffer is emptied after each frame: it can be copied only while one is drawn. */
function copied({ map, theme }: PictureOptions): HTMLCanvasElement | null {
  const drawn = map.getCanvas();
  const scale = Math.min(1, widest / Math.max(1, drawn.width));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(drawn.width * scale));
  canvas.height = Math.max(1, Math.round(drawn.height * scale));
  // Opaque, as the console takes it: what is transparent costs a sheet ten times as much.
  const pen = canvas.getContext('2d', { alpha: false });
  if (pen !== null) {
    // What lies beyond the poles: sea in the north, Antarctica's land in the south. The middle lies in the world.
    pen.fillStyle = theme.mapWater;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = theme.mapLand;
    pen.fillRect(0, canvas.height / 2, canvas.width, canvas.height);
  }
  pen?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return pen && canvas;
}

/** In the lower left corner; true in the middle of the map, whose scale grows towards the poles. */
function drawScale(pen: CanvasRenderingContext2D, { map, theme, scale }: PictureOptions): void {
  const length = scale.within(widestScale);
  if (length === null) return;
  const { width, words } = length;
  const { clientHeight } = map.getContainer();
  write(pen, { theme, words, x: edge, y: clientHeight - edge - barHeight - 5, align: 'left' });
  pen.fillStyle = theme.surface;
  pen.fillRect(edge - 1.5, clientHeight - edge - barHeight - 1.5, width + 3, barHeight + 3);
  pen.fillStyle = theme.text;
  pen.fillRect(edge, clientHeight - edge - barHeight, width, barHeight);
}

function drawAttribution(pen: CanvasRenderingContext2D, { map, theme }: PictureOptions): void {
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
  pen.font = `600 12px ${mapFontFamily}`;
  pen.direction = isRightToLeft(text.words) ? 'rtl' : 'ltr';
  pen.textAlign = text.align;
  pen.lineJoin = 'round';
  pen.lineWidth = 3;
  pen.strokeStyle = text.theme.surface;
  pen.strokeText(text.words, text.x, text.y);
  pen.fillStyle = text.theme.text;
  pen.fillText(text.words, text.x, text.y);
}
