import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { languages, panelNames, verbNames } from '../../src-preload/contract/index.ts';
import { sectionOf } from '../runner/attacks.ts';

/** Production without comments. Hosts have other names, and know no verb. */
const sources = globSync('{src-main/core,src-preload,src-renderer}/**/*.{ts,vue,json}').map((file) => ({
  file,
  text: readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
}));

/** The files that have a name as a text, or as a member of an object. */
const naming = new Map<string, Set<string>>();
const asName = /'(\w+)'|(?:^ +|[{,] )(?:readonly )?"?(\w+)"?\??: |^ +(\w+),$/gm;
for (const { file, text } of sources)
  for (const [, ...found] of text.matchAll(asName))
    for (const name of found) if (name) naming.set(name, (naming.get(name) ?? new Set()).add(file));

/** The files of production that the steps of a recipe name, as patterns. */
function filesOf(recipe: string): readonly RegExp[] {
  const [, steps = ''] = sectionOf(readFileSync('docs/recipes.md', 'utf8'), recipe).split(/^(?=1\. )/m);
  return [...(steps.split('\n\n')[0] ?? '').matchAll(/`(src-[^`]+\.\w+)`/g)].map(
    ([, path = '']) =>
      new RegExp(`^${path.replace('<feature>', '[a-zA-Z]+').replaceAll('.', String.raw`\.`)}$`),
  );
}

/** Names of verbs that mean something else in parts that know no verb. */
const otherMeanings: Readonly<Record<string, string>> = {
  lock: 'a slice',
  unlock: 'what the session does with a password',
  openWithPrevious: 'what a vault on the disk does',
  restart: 'a kind of entry in the audit list',
  readUploads: 'what notes take from uploads',
  giveUploadToken: 'the verb of uploads that the session answers',
};

it('a verb is in the files of its recipe, and a page asks it', () => {
  const [contract = /^$/, ...answering] = filesOf('Add a verb');
  expect(answering).toHaveLength(2);
  for (const verb of verbNames) {
    // What a verb of a deployment answers while none is open is a table of the dispatcher.
    const files = [...(naming.get(verb) ?? [])].filter(
      (file) => !/^src-renderer|dispatcher\.ts$|\.json$/.test(file),
    );
    const inFeature = (file: string): boolean => file.startsWith('src-main/core/features/');
    const places = {
      tables: files.filter((file) => contract.test(file)).length,
      features: new Set(files.filter(inFeature).map((file) => file.split('/')[3])).size,
      answers: files.filter((file) => answering.some((path) => path.test(file))).length,
      elsewhere: files.filter((file) => !contract.test(file) && !inFeature(file)),
    };
    const asRecipe = { tables: 1, features: 1, answers: 1, elsewhere: [] };
    if (verb in otherMeanings) expect(places, verb).not.toEqual(asRecipe);
    else expect(places, verb).toEqual(asRecipe);
    const word = new RegExp(String.raw`\b${verb}\b`);
    const asking = sources.some(({ file, text }) => file.startsWith('src-renderer') && word.test(text));
    expect(asking, verb).toBe(true);
  }
});

it('a panel is in the files of its recipe', () => {
  const [contract = '', registry = /^$/, ...others] = filesOf('Add a panel');
  expect(others).toEqual([]);
  const everyPanel = sources.filter(({ file }) => panelNames.every((panel) => naming.get(panel)?.has(file)));
  const titles = languages.map((language) => `src-preload/contract/messages/${language}/rail.json`);
  expect(everyPanel.map(({ file }) => file).toSorted()).toEqual([
    ...titles.toSorted(),
    expect.stringMatching(contract),
    expect.stringMatching(registry),
  ]);
  const table = sources.find(({ file }) => registry.test(file))?.text ?? '';
  const components = new Set([...table.matchAll(/from '.*\/(\w+Panel)\.vue'/g)].map(([, name]) => name));
  expect(components.size).toBe(panelNames.length);
});
