import type { Page } from '@playwright/test';

interface Seen {
  /** What of the page is looked at; the text is expected in its middle. */
  readonly clip: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly texts: readonly string[];
  /** Sizes that the text may have, in pixels. */
  readonly sizes: readonly number[];
}

/**
 * How alike a part of the screen is to each of the texts, as the browser itself writes them in the page's font:
 * 1 for the same, about 0 for anything else. Contrast and colours do not matter, a few pixels aside neither.
 */
export async function likeness(page: Page, { clip, texts, sizes }: Seen): Promise<readonly number[]> {
  const png = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(
    async ({ data, words, pixels }) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${data}`;
      await picture.decode();
      const { width, height } = picture;
      const ink = (draw: (pen: CanvasRenderingContext2D) => void): Float64Array => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [width, height];
        const pen = canvas.getContext('2d', { willReadFrequently: true })!;
        pen.fillRect(0, 0, width, height);
        draw(pen);
        const { data: bytes } = pen.getImageData(0, 0, width, height);
        const light = Float64Array.from({ length: width * height }, (_, at) => bytes[at * 4 + 1]!);
        const ground = light.toSorted()[Math.floor(light.length / 2)]!;
        return light.map((value) => Math.abs(value - ground));
      };
      const seen = ink((pen) => {
        pen.drawImage(picture, 0, 0);
      });
      const alike = (drawn: Float64Array, aside: number, down: number): number => {
        let [both, one, other] = [0, 0, 0];
        for (let y = 8; y < height - 8; y += 1) {
          for (let x = 8; x < width - 8; x += 1) {
            const a = seen[y * width + x]!;
            const b = drawn[(y + down) * width + x + aside]!;
            both += a * b;
            one += a * a;
            other += b * b;
          }
        }
        return both / Math.sqrt(Math.max(1, one * other));
      };
      const family = getComputedStyle(document.documentElement).getPropertyValue('--font');
      return words.map((word) => {
        let best = 0;
        for (const size of pixels) {
          const drawn = ink((pen) => {
            pen.font = `${size}px ${family}`;
            pen.fillStyle = 'white';
            pen.textAlign = 'center';
            pen.textBaseline = 'middle';
            pen.fillText(word, width / 2, height / 2);
          });
          for (let down = -8; down <= 8; down += 1) {
            for (let aside = -3; aside <= 3; aside += 1) best = Math.max(best, alike(drawn, aside, down));
          }
        }
        return best;
      });
    },
    { data: png, words: texts, pixels: sizes },
  );
}
