import type { Browser, Locator } from '@playwright/test';

/** Share of a picture's pixels near each asked colour (`#rrggbb`), 0 to 1. */
export type Shares = Readonly<Record<string, number>>;

/**
 * Takes a picture of what is really on the screen and measures how much of it is near each colour.
 * The picture is decoded in a blank page of its own, so that the console's page is not touched.
 */
export async function colourShares(
  browser: Browser,
  target: Pick<Locator, 'screenshot'>,
  colours: readonly string[],
  tolerance = 12,
): Promise<Shares> {
  const picture = (await target.screenshot()).toString('base64');
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      async ({ picture, colours, tolerance }) => {
        const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        if (!context) throw new Error('No 2d canvas');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        const shares: Record<string, number> = {};
        for (const colour of colours) {
          const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
          let near = 0;
          for (let at = 0; at < data.length; at += 4) {
            const off = wanted.map((part, index) => Math.abs(part - (data[at + index] ?? 0)));
            if (Math.max(...off) <= tolerance) near += 1;
          }
          shares[colour] = near / (data.length / 4);
        }
        return shares;
      },
      { picture, colours: [...colours], tolerance },
    );
  } finally {
    await page.close();
  }
}
