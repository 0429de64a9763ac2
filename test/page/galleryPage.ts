import { languages, textSizes, themeNames } from '../../src-preload/contract/index.ts';
import { allStates } from './allStates.ts';

/** What the gallery lets one choose; the first of each is taken without a choice. */
const choices = {
  theme: ['night', ...themeNames.filter((name) => name !== 'night')],
  language: languages,
  textSize: ['normal', ...textSizes.filter((size) => size !== 'normal')],
  /** Of the window that a state opens in: a field laptop's, the usual one, a large one and a wall display's. */
  size: ['1440x900', '1024x768', '1920x1080', '3840x2160'],
} as const satisfies Record<string, readonly string[]>;
type Choice = keyof typeof choices;
const names = Object.keys(choices) as Choice[];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Opens a state in a window of the chosen size; without it a link opens the state as any link does. */
export const galleryScript = `document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-size]');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [width, height] = link.dataset.size.split('x');
  window.open(link.href, '', \`popup,innerWidth=\${width},innerHeight=\${height}\`);
});
`;

const style = `
  body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
  nav p { margin: 0.25rem 0; }
  nav b { display: inline-block; width: 6rem; }
  a { margin-inline-end: 0.75rem; }
  a[aria-current] { font-weight: bold; text-decoration: none; }
  ul { columns: 18rem; padding: 0; list-style: none; }
`;

/** All states under their headings, each as a link in the look that `asked` chooses. */
export function galleryPage(asked: URLSearchParams, nonce: string): string {
  const chosen = Object.fromEntries(
    names.map((name) => {
      const value = asked.get(name);
      return [name, choices[name].find((one) => one === value) ?? choices[name][0]];
    }),
  ) as Record<Choice, string>;
  const link = (href: string, text: string, more = ''): string =>
    `<a href="${escaped(href)}"${more}>${escaped(text)}</a>`;
  const choice = (name: Choice): string => {
    const links = choices[name].map((value) =>
      link(
        `/gallery?${new URLSearchParams({ ...chosen, [name]: value }).toString()}`,
        value,
        value === chosen[name] ? ' aria-current="true"' : '',
      ),
    );
    return `<p><b>${name}</b>${links.join('')}</p>`;
  };
  const { size, ...look } = chosen;
  const state = (name: string): string =>
    `<li>${link(`/?${new URLSearchParams({ state: name, ...look }).toString()}`, name, ` data-size="${size}"`)}</li>`;
  const groups = Array.from(
    Map.groupBy(allStates, ({ group }) => group),
    ([group, inGroup]) =>
      `<h2>${escaped(group)}</h2><ul>${inGroup.map(({ name }) => state(name)).join('')}</ul>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style><script type="module" src="/gallery.js"></script>
<h1>Gallery: ${String(allStates.length)} states</h1><nav aria-label="Look">${names.map(choice).join('')}</nav>${groups.join('')}</html>`;
}
