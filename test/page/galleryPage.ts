import { languages, themeNames } from '../../src-preload/contract/index.ts';
import { states } from './states.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const address = (state: string, look: Readonly<Record<string, string>>): string =>
  `/?${new URLSearchParams({ state, ...look }).toString()}`;

const link = (href: string, text: string): string => `<a href="${escaped(href)}">${escaped(text)}</a>`;

/** The list of all states, each with a link for every theme and every language. */
export function galleryPage(): string {
  const groups = Map.groupBy(states, ({ group }) => group);
  const row = (name: string): string => {
    const themes = themeNames.map((theme) => link(address(name, { theme }), theme)).join(' ');
    const tongues = languages.map((language) => link(address(name, { language }), language)).join(' ');
    return `<tr><th scope="row">${escaped(name)}</th><td>${themes}</td><td>${tongues}</td></tr>`;
  };
  const tables = Array.from(
    groups,
    ([group, inGroup]) =>
      `<h2>${escaped(group)}</h2><table>${inGroup.map(({ name }) => row(name)).join('')}</table>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><h1>Gallery</h1>${tables.join('')}</html>`;
}
