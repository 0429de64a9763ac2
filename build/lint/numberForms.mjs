/**
 * A rule of ESLint: a message that says a number has a form for each number. Its option are the keys of the English
 * messages that have one form only.
 */

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
  /^appearance\.zoom\.percent$|^evidence\.tray\.running$|^uploads\.moving$|^updates\.taken$/,
  // The end of a range.
  /^incidents\.limit\.problem$/,
  // Digits to be typed.
  /^signIn\.erase\.count$/,
  // No word depends on it.
  /^print\.sheet\.severities\.\w+$/,
  /^print\.handover\.(openCounts|openUnranked|openFirst|uploadsFirst|otherNotesFirst)$/,
  /^sync\.requestsOf$/,
  /^details\.evidence(Agreed|Counted|Listed|ListedAtLeast)$/,
];
/** Messages that say a number after its label, as `Files: 1`. */
const afterLabel = [
  /^print\.handover\.audit(Intact|Damaged)$/,
  /^alarms\.draw\.corners$/,
  /^timeline\.bars$/,
  /^deploymentCheck\.(progress|cost)$/,
  /^core\.selfTest\.(maps\.all|events\.open)$/,
];
/** Values that are numbers in the messages, whatever the source makes of them. */
const numberName = /\{(?:n|count|percent|number|minutes|step|steps|views|most|unsent)\}/;

const isAllowed = ([key, text]) =>
  inOneForm.some((one) => one.test(key)) ||
  (afterLabel.some((one) => one.test(key)) && /: \{\w+\}/.test(text));
/** A bar in `{'|'}` is text. */
const hasOneForm = (text) => !/(?<!')\|(?!')/.test(text);

/** Every message by its whole key. */
export const messagesOf = (words, prefix = '') =>
  Object.entries(words).flatMap(([key, entry]) =>
    typeof entry === 'string' ? [[`${prefix}${key}`, entry]] : messagesOf(entry, `${prefix}${key}.`),
  );

/** Keys whose messages have one form, but for those that may say a number. */
export const keysOfOneForm = (messages) =>
  messages.filter((one) => hasOneForm(one[1]) && !isAllowed(one)).map(([key]) => key);

/** Keys whose messages say a number by the name of a value, in one form. */
export const withoutForms = (messages) =>
  messages
    .filter((one) => numberName.test(one[1]) && hasOneForm(one[1]) && !isAllowed(one))
    .map(([key]) => key);

/** Whether an expression is a number, or one written out. */
function isNumber(node, sourceCode) {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'BinaryExpression') return /^[-+*/%]$/.test(node.operator);
  if (node.type === 'MemberExpression') return /^(?:length|size|count)$/.test(node.property.name ?? '');
  if (node.type !== 'CallExpression') return false;
  return /^(?:count|counts|String|number)$|\.format$|^Math\./.test(sourceCode.getText(node.callee));
}

function keysOf(node) {
  if (node?.type === 'Literal') return [String(node.value)];
  return node?.type === 'ConditionalExpression'
    ? [...keysOf(node.consequent), ...keysOf(node.alternate)]
    : [];
}

export const numberForms = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: { form: '“{{key}}” says the number “{{value}}” in one form for every number.' },
  },
  create(context) {
    const { sourceCode } = context;
    const oneForm = new Set(context.options[0] ?? []);
    const visitor = {
      "CallExpression[callee.name='t']"(node) {
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
    const both = sourceCode.parserServices.defineTemplateBodyVisitor;
    return both ? both(visitor, visitor) : visitor;
  },
};
