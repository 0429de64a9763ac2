import type { Locator, Page } from '@playwright/test';

export interface GivenFile {
  readonly name: string;
  readonly buffer: Buffer;
}

/** Presses a button that opens a file chooser, and chooses. */
export async function chooseFiles(button: Locator, files: readonly GivenFile[]): Promise<void> {
  const [chooser] = await Promise.all([button.page().waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles(files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })));
}

/** Drags files over an element and lets them go there; `over` looks at the page in between. */
export async function dropFiles(
  page: Page,
  target: Locator,
  files: readonly GivenFile[],
  over: () => Promise<void> = async () => undefined,
): Promise<void> {
  const given = files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }));
  const dataTransfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([content], name));
    }
    return data;
  }, given);
  await target.dispatchEvent('dragover', { dataTransfer });
  await over();
  await target.dispatchEvent('drop', { dataTransfer });
}
