import { closedChains } from '../../build/lint/closedChains.ts';
import { component, inComponents } from './ruleTesters.ts';

const open = (what: string): { errors: object[] } => ({ errors: [{ messageId: 'open', data: { what } }] });
const two = `<p v-if="a.kind === 'b'" /><p v-else-if="a.kind === 'c' || a.kind === 'd'" />`;

inComponents.run('a chain over the members of a union', closedChains, {
  valid: [
    component(`${two}<template v-else>{{ assertNever(a) }}</template>`),
    // One member and the rest, and chains over different things.
    component(`<p v-if="a === 'b'" /><p v-else />`),
    component(`<p v-if="a === 'b'" /><p v-else-if="c" /><p v-else />`),
    component(`<p v-if="a === 'b'" /><p v-else-if="c === 'd'" />`),
    component(`<p v-if="a === 'b'" /><p v-if="a === 'c'" />`),
  ],
  invalid: [
    { ...component(two), ...open('a.kind') },
    { ...component(`${two}<p v-else />`), ...open('a.kind') },
    {
      ...component(`<p v-if="a === 'b'" /><p v-else-if="a === 'c'" /><p v-else>{{ a }}</p>`),
      ...open('a'),
    },
  ],
});
