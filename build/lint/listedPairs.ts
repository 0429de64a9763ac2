/**
 * A rule of Stylelint: a rule of a style sheet that gives a colour and its ground draws a pair whose contrast is
 * proven, so one that stands in drawnPairs.ts.
 */
import stylelint, { type RuleBase } from 'stylelint';
import { textPairs } from './drawnPairs.ts';

const ruleName = 'field-console/listed-pairs';
const known = new Set(textPairs.map(([text, ground]) => `${text} on ${ground}`));

/** `var(--map-label)` -> `mapLabel`; null for what is no colour of a theme alone. */
function tokenOf(value: string): string | null {
  const property = /^var\(--([a-z-]+)\)$/.exec(value)?.[1];
  return property?.replaceAll(/-[a-z]/g, (letters) => letters.slice(1).toUpperCase()) ?? null;
}

const rule: RuleBase = (on) => (root, result) => {
  if (!on) return;
  root.walkRules((drawn) => {
    let colour: string | null = null;
    let ground: string | null = null;
    for (const node of drawn.nodes) {
      if (node.type !== 'decl') continue;
      if (node.prop === 'color') colour = tokenOf(node.value);
      if (/^background(?:-color)?$/.test(node.prop)) ground = tokenOf(node.value);
    }
    if (colour === null || ground === null || known.has(`${colour} on ${ground}`)) return;
    const message = `${colour} on ${ground} is not among the pairs of build/lint/drawnPairs.ts`;
    stylelint.utils.report({ result, ruleName, node: drawn, message });
  });
};

export const listedPairs = stylelint.createPlugin(ruleName, Object.assign(rule, { ruleName, messages: {} }));
