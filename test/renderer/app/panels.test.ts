import { expect, it, vi } from 'vitest';
import { languages, panelNames } from '../../../src-preload/contract/index.ts';
import { actionsOf } from '../../../src-renderer/app/commands/actions.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';
import messages from '../../../src-renderer/i18n/messages/en.ts';
import { createPage } from '../pageRig.ts';

// That each has a component is what the type of src-renderer/app/panels.ts says, and test/page/states shows it.
it('every panel of the contract is an action of the palette, under its title', () => {
  vi.stubGlobal('document', new EventTarget());
  const actions = createPage().run(() => actionsOf().value);
  vi.unstubAllGlobals();
  const shown = actions.filter(({ id }) => id.startsWith('panel-'));
  expect(shown.map(({ id, name }) => [id, name])).toEqual(
    panelNames.map((panel) => [`panel-${panel}`, `Panel: ${messages.rail.panels[panel]}`]),
  );
});

it.each(languages)(
  'every panel of the contract has one title in %s, and no other has one',
  async (language) => {
    const { rail } = language === 'en' ? messages : await loadMessages(language);
    expect(Object.keys(rail.panels).sort()).toEqual([...panelNames].sort());
  },
);
