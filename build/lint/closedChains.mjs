/**
 * A rule of ESLint: a chain of `v-else-if` that compares one expression with the members of a union ends in
 * `noOther(...)`, or gives way to a record by member. A member that is added later must fail the type check there; a
 * plain `v-else` would show it as another.
 */

const directiveOf = (element, name) =>
  element.startTag.attributes.find(({ directive, key }) => directive && key.name.name === name);

/** The compared expressions of `a === 'b' || a === 'c'`; null where the test is anything else. */
function comparedIn(test, sourceCode) {
  if (test?.type === 'LogicalExpression' && test.operator === '||') {
    const [left, right] = [comparedIn(test.left, sourceCode), comparedIn(test.right, sourceCode)];
    return left === null || right === null ? null : [...left, ...right];
  }
  const compares =
    test?.type === 'BinaryExpression' && test.operator === '===' && typeof test.right.value === 'string';
  return compares ? [sourceCode.getText(test.left)] : null;
}

export const closedChains = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      open: 'This chain over “{{what}}” lets a member that is added later through: end it with `noOther(...)`, or choose from a record by member.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const visit = sourceCode.parserServices.defineTemplateBodyVisitor;
    if (!visit) return {};
    return visit({
      VElement(element) {
        if (!directiveOf(element, 'if')) return;
        const siblings = element.parent.children.filter(({ type }) => type === 'VElement');
        const arms = [element];
        for (const next of siblings.slice(siblings.indexOf(element) + 1)) {
          if (!directiveOf(next, 'else-if') && !directiveOf(next, 'else')) break;
          arms.push(next);
        }
        const tests = arms
          .map((arm) => directiveOf(arm, 'if') ?? directiveOf(arm, 'else-if'))
          .filter((directive) => directive !== undefined)
          .map(({ value }) => comparedIn(value?.expression, sourceCode));
        const whats = new Set(tests.flatMap((compared) => compared ?? [null]));
        const [what] = whats;
        if (tests.length < 2 || whats.size !== 1 || what === null) return;
        const last = arms.at(-1);
        if (directiveOf(last, 'else') && sourceCode.getText(last).includes('noOther(')) return;
        context.report({ node: element.startTag, messageId: 'open', data: { what } });
      },
    });
  },
};
