/**
 * A rule of ESLint: what is `aria-pressed` keeps its name. A name that changes with the state says the state, or what a
 * press does, and a screen reader would add "pressed" to it: "Stop following, pressed".
 */
import type { Rule } from 'eslint';
import { asCode, visitComponent, type TemplateDirective, type TemplateVisitor } from './template.ts';

const names = ['name', 'title', 'aria-label'];

export const saidOnce: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { twice: 'Say “{{state}}” once: by aria-pressed under one name, or by two names.' },
  },
  create(context) {
    const { sourceCode } = context;
    const template: TemplateVisitor = {
      VElement({ startTag, children }) {
        const bound = startTag.attributes.filter((attribute) => attribute.directive);
        const valueOf = ({ value }: TemplateDirective): string =>
          value?.expression ? sourceCode.getText(value.expression) : '';
        const pressed = bound.find(({ key }) => key.argument?.name === 'aria-pressed');
        if (pressed === undefined) return;
        const state = valueOf(pressed);
        const said = [
          ...bound.filter(({ key }) => names.includes(key.argument?.name ?? '')).map(valueOf),
          ...children.flatMap((child) =>
            child.type === 'VExpressionContainer' ? [sourceCode.getText(asCode(child))] : [],
          ),
        ];
        if (said.some((text) => text.includes(`${state} ?`)))
          context.report({ node: asCode(startTag), messageId: 'twice', data: { state } });
      },
    };
    return visitComponent(context, template, {});
  },
};
