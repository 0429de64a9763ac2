/**
 * A rule of ESLint: a message that says a number has a form for each number. Its option are the keys of the English
 * messages that have one form only.
 */
import type { Rule, SourceCode } from 'eslint';
import { visitComponent, type Code, type CodeVisitor } from './template.ts';

/** Texts by their names, as a file of messages has them. */
export interface Words {
  readonly [key: string]: string | Words;
}
type Message = readonly [key: string, text: string];
export type Messages = readonly Message[];

/** Messages that say a number in one form for every number. */
const inOneForm = [
  // The sign of a unit has no plural.
  /^time\.(milliseconds|seconds|minutes|hours|days)$/,
  /^storage\.(bytes|kilobytes|megabytes|gigabytes|terabytes)$/,
  /^coordinates\.units\.(m|ft)$/,
  /^commands\.alarms\.mute$/,
  // A number that names.
  /^details\.copyRecord$/,
  /^print\.handover\.auditHash$/,
  /^events\.(incidentOf|missionOf)$/,
  // A place in a row.
  /^(help\.tour\.place|wallboard\.place|evidence\.viewer\.place|maps\.stack\.count)$/,
  // A bound, or a span that is longer than one.
  /^core\.file\.(mostCharacters|mostEntries|between|milliseconds|minutes|seconds)$/,
  /^deploymentCheck\.about$/,
  /^core\.(record\.(tooLong|tooMuch)|selfTest\.late|view\.noRoom)$/,
  // A number whose noun stands elsewhere in the sentence.
  /^core\.(retention\.(age|number|notReturned)|deployment\.someLost)$/,
  // Per cent.
  /^appearance\.zoom\.percent$|^evidence\.tray\.running$|^uploads\.moving$|^updates\.taken$|^sync\.loss$/,
  // The end of a range.
  /^incidents\.limit\.problem$/,
  // Digits to be typed.
  /^signIn\.erase\.count$/,
  // No word depends on it.
  /^print\.sheet\.severities\.\w+$|^incidents\.critical\.at$/,
  /^print\.handover\.(openCounts|openUnranked|openFirst|uploadsFirst|otherNotesFirst)$/,
  /^sync\.requestsOf$/,
  /^details\.evidence(Agreed|Counted|Listed|ListedAtLeast)$/,
];
/** Messages that say a number after its label, as `Files: 1`. */
const afterLabel = [
  /^print\.handover\.audit(Intact|Damaged)$|^incidents\.critical\.active$/,
  /^alarms\.draw\.corners$/,
  /^timeline\.bars$/,
  /^deploymentCheck\.(progress|cost)$/,
  /^core\.selfTest\.(maps\.all|events\.open)$/,
];
/** Values that are numbers in the messages, whatever the source makes of them. */
const numberName = /\{(?:n|count|percent|number|minutes|step|steps|views|most|unsent)\}/;

const isAllowed = ([key, text]: Message) =>
  inOneForm.some((one) => one.test(key)) ||
  (afterLabel.some((one) => one.test(key)) && /: \{\w+\}/.test(text));
/** A bar in `{'|'}` is text. */
const hasOneForm = (text: string) => !/(?<!')\|(?!')/.test(text);

/** Every message by its whole key. */
export const messagesOf = (words: Words, prefix = ''): Messages =>
  Object.entries(words).flatMap(([key, entry]): Messages =>
    typeof entry === 'string' ? [[`${prefix}${key}`, entry]] : messagesOf(entry, `${prefix}${key}.`),
  );

/** Keys whose messages have one form, but for those that may say a number. */
export const keysOfOneForm = (messages: Messages): readonly string[] =>
  messages.filter((one) => hasOneForm(one[1]) && !isAllowed(one)).map(([key]) => key);

/** Keys whose messages say a number by the name of a value, in one form. */
export const withoutForms = (messages: Messages): readonly string[] =>
  messages
    .filter((one) => numberName.test(one[1]) && hasOneForm(one[1]) && !isAllowed(one))
    .map(([key]) => key);

/** Whether an expression is a number, or one written out. */
function isNumber(node: Code, sourceCode: SourceCode): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'BinaryExpression') return /^[-+*/%]$/.test(node.operator);
  if (node.type === 'MemberExpression')
    return 'name' in node.property && /^(?:length|size|count)$/.test(node.property.name);
  if (node.type !== 'CallExpression') return false;
  return /^(?:count|counts|String|number)$|\.format$|^Math\./.test(sourceCode.getText(node.callee));
}

function keysOf(node: Code | undefined): readonly string[] {
  if (node?.type === 'Literal') return [String(node.value)];
  return node?.type === 'ConditionalExpression'
    ? [...keysOf(node.consequent), ...keysOf(node.alternate)]
    : [];
}

export const numberForms: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: { form: '“{{key}}” says the number “{{value}}” in one form for every number.' },
  },
  create(context) {
    const { sourceCode } = context;
    const [keys = []] = context.options as [(readonly string[])?];
    const oneForm = new Set(keys);
    const visitor: CodeVisitor = {
      CallExpression(node) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 't') return;
        const [name, values] = node.arguments;
        const properties = values?.type === 'ObjectExpression' ? values.properties : [];
        for (const property of properties) {
          if (property.type !== 'Property' || !isNumber(property.value, sourceCode)) continue;
          const value = sourceCode.getText(property.key);
          for (const key of keysOf(name).filter((one) => oneForm.has(one)))
            context.report({ node: property, messageId: 'form', data: { key, value } });
        }
      },
    };
    return visitComponent(context, visitor, visitor);
  },
};
