import type { Browser, Locator } from '@playwright/test';

type Target = Pick<Locator, 'screenshot'>;

/** Share of a picture's pixels near each asked colour (`#rrggbb`), 0 to 1. */
export type Shares = Readonly<Record<string, number>>;

/** Takes a picture of what is really on the screen and measures how much of it is near each colour. */
export async function colourShares(
  browser: Browser,
  target: Target,
  colours: readonly string[],
  tolerance = 12,
): Promise<Shares> {
  const data = await pixelsOf(browser, target);
  const shares = colours.map((colour) => {
    const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    let near = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((part, index) => Math.abs(part - (data[at + index] ?? 0)) <= tolerance)) near += 1;
    }
    return [colour, near / (data.length / 4)] as const;
  });
  return Object.fromEntries(shares);
}

/**
 * How loud a picture is without colours: the sum over its pixels of how far each one's lightness (0 to 1, as sRGB has
 * it) is from that of its upper left corner.
 */
export async function greyContrast(browser: Browser, target: Target): Promise<number> {
  const data = await pixelsOf(browser, target);
  const lightness = (at: number): number =>
    (0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)) / 255;
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += Math.abs(lightness(at) - lightness(0));
  return sum;
}

/**
 * Red, green, blue and opacity of each pixel. The picture is decoded in a separate blank page, so that the console's
 * page is not touched.
 */
async function pixelsOf(browser: Browser, target: Target): Promise<Uint8Array> {
  const picture = (await target.screenshot()).toString('base64');
  const page = await browser.newPage();
  try {
    const pixels = await page.evaluate(async (encoded) => {
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (!context) throw new Error('No 2d canvas');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const reader = new FileReader();
      const read = new Promise((done) => reader.addEventListener('load', done));
      reader.readAsDataURL(new Blob([data]));
      await read;
      return String(reader.result).split(',')[1] ?? '';
    }, picture);
    return Buffer.from(pixels, 'base64');
  } finally {
    await page.close();
  }
}
