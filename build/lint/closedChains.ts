/**
 * A rule of ESLint: a chain of `v-else-if` that compares one expression with the members of a union ends in
 * `assertNever(...)`, or gives way to a record by member. A member that is added later must fail the type check there; a
 * plain `v-else` would show it as another.
 */
import type { Rule, SourceCode } from 'eslint';
import {
  asCode,
  visitComponent,
  type Code,
  type TemplateDirective,
  type TemplateElement,
  type TemplateVisitor,
} from './template.ts';

const directiveOf = (element: TemplateElement, name: string): TemplateDirective | undefined =>
  element.startTag.attributes
    .filter((attribute) => attribute.directive)
    .find(({ key }) => key.name.name === name);

/** The compared expressions of `a === 'b' || a === 'c'`; null where the test is anything else. */
function comparedIn(test: Code | null | undefined, sourceCode: SourceCode): readonly string[] | null {
  if (test?.type === 'LogicalExpression' && test.operator === '||') {
    const [left, right] = [comparedIn(test.left, sourceCode), comparedIn(test.right, sourceCode)];
    return left === null || right === null ? null : [...left, ...right];
  }
  if (test?.type !== 'BinaryExpression' || test.operator !== '===') return null;
  const isText = test.right.type === 'Literal' && typeof test.right.value === 'string';
  return isText ? [sourceCode.getText(test.left)] : null;
}

export const closedChains: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      open: 'This chain over “{{what}}” lets a member that is added later through: end it with `assertNever(...)`, or choose from a record by member.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const template: TemplateVisitor = {
      VElement(element) {
        if (!directiveOf(element, 'if')) return;
        const siblings = element.parent.children.filter((child) => child.type === 'VElement');
        const arms = [element];
        for (const next of siblings.slice(siblings.indexOf(element) + 1)) {
          if (!directiveOf(next, 'else-if') && !directiveOf(next, 'else')) break;
          arms.push(next);
        }
        const tests = arms
          .map((arm) => directiveOf(arm, 'if') ?? directiveOf(arm, 'else-if'))
          .filter((directive) => directive !== undefined)
          .map(({ value }) => comparedIn(value?.expression, sourceCode));
        const whats = new Set(tests.flatMap((compared): readonly (string | null)[] => compared ?? [null]));
        const [what = null] = whats;
        if (tests.length < 2 || whats.size !== 1 || what === null) return;
        const last = arms.at(-1) ?? element;
        if (directiveOf(last, 'else') && sourceCode.getText(asCode(last)).includes('assertNever(')) return;
        context.report({ node: asCode(element.startTag), messageId: 'open', data: { what } });
      },
    };
    return visitComponent(context, template, {});
  },
};
