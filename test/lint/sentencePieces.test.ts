import { expect, it } from 'vitest';
import { keysOfOneForm, messagesOf, numberForms, withoutForms } from '../../build/lint/numberForms.ts';
import { sentencePieces } from '../../build/lint/sentencePieces.ts';
import { component, inCode, inComponents } from './ruleTesters.ts';

const piece = (text?: string): { errors: object[] } => ({
  errors: [{ messageId: 'pieces', ...(text === undefined ? {} : { data: { piece: text } }) }],
});

inComponents.run('a sentence built of pieces in a component', sentencePieces, {
  valid: [
    component("<p>{{ t('a.b', { id }) }}</p>"),
    component("<p>{{ t('a.b') }} · {{ age }}</p>"),
    component("<p><Icon />{{ t('a.b') }}</p>"),
    component("<p><b>{{ t('a.b') }}</b>\n<b>{{ t('a.c') }}</b></p>"),
    component('<p>{{ t(`a.${name}`) }}</p>'),
    component('<p>{{ name }} {{ age }}</p>'),
    component("<p><Row><template #head>{{ t('a.b') }}</template> {{ age }}</Row></p>"),
    { ...component("<p>{{ t('a.b') }} {{ t('a.c') }}</p>"), options: [["{{ t('a.b') }}"]] },
  ],
  invalid: [
    { ...component("<p>{{ t('a.b') + name }}</p>"), ...piece("t('a.b') + name") },
    { ...component("<p>{{ `${t('a.b')} ${name}` }}</p>"), ...piece() },
    { ...component('<p>{{ raised(word).toLowerCase() }}</p>'), ...piece() },
    { ...component("<p :title=\"t('a.b') + ':'\" />"), ...piece() },
    { ...component("<p>{{ t('a.b') }}\n {{ t('a.c') }}</p>"), ...piece("{{ t('a.b') }} {{ t('a.c') }}") },
    { ...component("<p>{{ t('a.b') }} <code>{{ id }}</code></p>"), ...piece() },
    { ...component("<p>{{ name }}<span>, {{ on ? t('a.on') : t('a.off') }}</span></p>"), ...piece() },
    {
      ...component("<p>{{ t('a.b') }}</p>"),
      options: [["{{ t('a.b') }}"]],
      errors: [{ messageId: 'gone', data: { piece: "{{ t('a.b') }}" } }],
    },
  ],
});

inCode.run('a sentence built of pieces in code', sentencePieces, {
  valid: ["const a = parts.join(' · ');", 'const a = one + 2; const b = t(`a.${c}`);'],
  invalid: [
    { code: "const a = parts.join(', ');", ...piece() },
    { code: "const a = (on ? t('a.b') : t('a.c')) + '.';", ...piece() },
  ],
});

const key = (name: string, value: string) => ({ messageId: 'form', data: { key: name, value } });
const options = [['a.b', 'a.c']];

inCode.run('a number that a message says', numberForms, {
  valid: [
    { code: "t('a.b', { size: bytesText(n) });", options },
    { code: "t('a.d', { n: count(n) });", options },
  ],
  invalid: [
    {
      code: "t('a.b', { all: count(n), size: bytesText(n), of: list.length });",
      options,
      errors: [key('a.b', 'all'), key('a.b', 'of')],
    },
    {
      code: "t(on ? 'a.b' : 'a.c', { at: at + 1 });",
      options,
      errors: [key('a.b', 'at'), key('a.c', 'at')],
    },
  ],
});
inComponents.run('a number that a message says in a component', numberForms, {
  valid: [{ ...component("<p>{{ t('a.b', { n: name }) }}</p>"), options }],
  invalid: [{ ...component("<p>{{ t('a.b', { n: list.size }) }}</p>"), options, errors: [key('a.b', 'n')] }],
});

it('the messages of one form are told from those that have more', () => {
  const messages = messagesOf({
    a: { b: '{n} file', c: '{n} file | {n} files', d: "{'|'} {name}" },
    time: { hours: '{n} h' },
  });
  expect(keysOfOneForm(messages)).toEqual(['a.b', 'a.d']);
  expect(withoutForms(messages)).toEqual(['a.b']);
});

it('a number in one form for every number stands after its label', () => {
  const all = (text: string) => messagesOf({ core: { selfTest: { maps: { all: text } } } });
  expect(withoutForms(all('Map files found: {count}.'))).toEqual([]);
  expect(withoutForms(all('{count} map files are there.'))).toEqual(['core.selfTest.maps.all']);
});
