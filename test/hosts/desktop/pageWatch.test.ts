import { expect, it } from 'vitest';
import { z } from 'zod';
import { watchPage } from '../../../src-main/hosts/desktop/selfTest/pageWatch.ts';
import { createVirtualClock } from '../../support/clock.ts';

/** A page that answers its `answers`-th question and no other. */
function pageThatAnswers(answers: number) {
  const asked: string[] = [];
  const executeJavaScript = (script: string): Promise<unknown> => {
    asked.push(script);
    return asked.length === answers ? Promise.resolve({ there: true }) : new Promise(() => undefined);
  };
  return { asked, webContents: { executeJavaScript, on: () => undefined as never } };
}
const question = { script: 'there()', answer: z.object({ there: z.boolean() }) };

it('a question that was lost with its document is asked again after 15 s', async () => {
  const clock = createVirtualClock();
  const page = pageThatAnswers(2);
  const seen = watchPage(page, clock).until(question, ({ there }) => there, 'It was not there.');
  await clock.advance(14_500);
  expect(page.asked).toHaveLength(1);
  await clock.advance(1_000);
  expect(await seen).toEqual({ there: true });
  expect(page.asked).toHaveLength(2);
});

it('what does something is asked once, however long it takes', async () => {
  const clock = createVirtualClock();
  const page = pageThatAnswers(2);
  const seen = watchPage(page, clock).until(
    { ...question, once: true },
    () => true,
    'It was not there.',
    60_000,
  );
  const failed = expect(seen).rejects.toThrow('It was not there.');
  await clock.advance(61_000);
  await failed;
  expect(page.asked).toHaveLength(1);
});

it('a page that never answers is asked a few times, and given up', async () => {
  const clock = createVirtualClock();
  const page = pageThatAnswers(Infinity);
  const seen = watchPage(page, clock).until(question, ({ there }) => there, 'It was not there.', 60_000);
  const failed = expect(seen).rejects.toThrow('It was not there.');
  await clock.advance(61_000);
  await failed;
  expect(page.asked).toHaveLength(4);
});
