import { literalText } from '../../build/lint/literalText.ts';
import { component, inCode, inComponents } from './ruleTesters.ts';

const texts = (...found: string[]): { errors: object[] } => ({
  errors: found.map((text) => ({ messageId: 'literal', data: { text } })),
});

inComponents.run('a text in a component', literalText, {
  valid: [
    component('<input name="username" :class="[`Button`]" />'),
    component("<p v-if=\"kind === 'Enter'\">{{ count }} · {{ t('a.b') }} %</p>"),
    component('<p />', "const words = { b: 'area.key', c: 'Enter' };"),
    component('<PagedList name="incident" />'),
  ],
  invalid: [
    { ...component('<p>lost</p>'), ...texts('lost') },
    { ...component('<p>{{ busy ? "Opening" : t("a.b") }}</p>'), ...texts('Opening') },
    { ...component('<p>{{ `Kept of ${name}` }}</p>'), ...texts('Kept of {}') },
    { ...component('<p><b>{{ n }}</b> more</p>'), ...texts('more') },
    { ...component('<button aria-label="Close" class="button button--small" />'), ...texts('Close') },
    {
      ...component('<TipButton name="Zoom in" :title="`Remove ${one}`" />'),
      ...texts('Zoom in', 'Remove {}'),
    },
    { ...component('<p />', "const words = { a: 'Nothing is kept.' };"), ...texts('Nothing is kept.') },
  ],
});

inCode.run('a text in code', literalText, {
  valid: [
    "throw new Error('No such thing.'); // 'Not this one.'",
    "const a = new RangeError('No such thing.');",
    "import a from 'Some place.'; export { b } from 'Some place.'; type C = 'Nothing is kept.';",
    "switch (a) { case 'Page Down': break; }",
  ],
  invalid: [
    { code: 'const a = `${n} more corners at least.`;', ...texts('{} more corners at least.') },
    { code: "const a = key === 'Page Down' ? `Since ${at} here.` : '';", ...texts('Since {} here.') },
    { code: "export const a = 'Nothing is kept.';", ...texts('Nothing is kept.') },
  ],
});
