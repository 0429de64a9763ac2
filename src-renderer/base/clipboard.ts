/**
 * Puts text on the clipboard. Falls back to the old command where the asynchronous clipboard is
 * refused (a host that denies every permission, a page that lost focus).
 *
 * @returns whether the text is on the clipboard.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'sr-only';
    area.readOnly = true;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
}
