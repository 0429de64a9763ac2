import { listedKeys } from '../../build/lint/handledKeys.ts';
import { component, inCode, inComponents } from './ruleTesters.ts';

const acts = { errors: [{ messageId: 'acts' }] };
const other = (key: string) => ({ errors: [{ messageId: 'other', data: { key } }] });
const gone = (key: string) => ({ errors: [{ messageId: 'gone', data: { key } }] });
const press = "if (event.key === 'Enter') open();";

inCode.run('keys in code', listedKeys, {
  valid: [
    "const words = { Enter: 'Enter' }; const all = parts.join(' ');",
    { code: press, options: [['Enter']] },
    { code: 'const moves = { ArrowUp: -1, Home: 0 }; event.key in moves;', options: [['ArrowUp', 'Home']] },
  ],
  invalid: [
    { code: press, ...acts },
    { code: "page.addEventListener('keydown', act);", ...acts },
    { code: "onKeyStroke('Escape', close);", ...acts },
    { code: press, options: [[]], ...other('Enter') },
    { code: press, options: [['Enter', 'Delete']], ...gone('Delete') },
  ],
});

inComponents.run('keys in a component', listedKeys, {
  valid: [
    component('<p @click="open" />'),
    { ...component('<p @keydown.esc="close" />'), options: [['Escape']] },
    { ...component('<p @keydown="act" />', press), options: [['Enter']] },
  ],
  invalid: [
    { ...component('<p @keyup="act" />'), ...acts },
    { ...component('<p @keydown.enter="act" />'), options: [[]], ...other('Enter') },
    { ...component('<p @keydown="act" />'), options: [['Home']], ...gone('Home') },
  ],
});
