import type { Browser } from '@playwright/test';

/** Of 0 to 1: small letters are as legible as in the PNG, and the file is a fifth of it. */
const quality = 0.42;

/** Makes what encodes a PNG as WebP, in a page of `browser`. */
export async function webpEncoder(browser: Browser): Promise<(png: Buffer) => Promise<Buffer>> {
  const page = await browser.newPage();
  return async (png) => {
    const encoded = await page.evaluate(
      async ({ base64, wanted }) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        canvas.getContext('2d')?.drawImage(picture, 0, 0);
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality: wanted });
        const text = Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) =>
          String.fromCharCode(byte),
        );
        return btoa(text.join(''));
      },
      { base64: png.toString('base64'), wanted: quality },
    );
    return Buffer.from(encoded, 'base64');
  };
}
