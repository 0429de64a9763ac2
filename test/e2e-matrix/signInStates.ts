import { dialog, escape, panel, press, see, shown, type State } from './state.ts';

const username = '#sign-in-username';
const password = '#sign-in-password';
const submit = 'form [type="submit"]';
const picker = '.deployments input[type="file"]';

const other = {
  version: 1,
  id: 'other-station',
  name: 'Other station',
  infrastructureUrl: 'https://infrastructure.example.org',
  coordinationUrl: 'https://coordination.example.org',
};
const fileOf = (content: unknown) => ({
  name: 'other.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
});

/** What stands in front of a console that nobody has signed in to. */
export const signInStates: readonly State[] = [
  { name: 'sign-in', enter: (page) => see(page, submit) },
  {
    name: 'name missing',
    enter: async (page) => {
      await press(page, submit);
      await see(page, '#sign-in-missing');
    },
  },
  {
    name: 'refused',
    enter: async (page) => {
      await page.locator(username).fill('someone');
      await page.locator(password).fill('not this one');
      await page.keyboard.press('Enter');
      await see(page, '.form .note');
    },
  },
  {
    name: 'deployment asked',
    enter: async (page) => {
      await page.locator(picker).setInputFiles(fileOf(other));
      await see(page, `${dialog} .deployments__hosts`);
    },
    leave: escape,
  },
  {
    name: 'deployment refused',
    enter: async (page) => {
      await page.locator(picker).setInputFiles(fileOf({ ...other, version: 99 }));
      await see(page, '.deployments .note');
    },
  },
  {
    name: 'diagnostics before sign-in',
    enter: async (page) => {
      await press(page, '.card__foot .link');
      await see(page, `${dialog} .diagnostics h3`);
    },
    leave: escape,
  },
];

/** A console on the training that comes with it: what only that has. */
export const trainingStates: readonly State[] = [
  { name: 'training’s sign-in', enter: (page) => see(page, '.card__training') },
  {
    name: 'training',
    enter: async (page) => {
      if ((await page.locator('.card__training').count()) > 0) {
        await press(page, '.card__training .button');
        await press(page, submit);
      }
      await see(page, `${panel} [role="option"]`);
    },
  },
  shown('training’s switches', { drawer: 'training' }, '#training-fault'),
];
