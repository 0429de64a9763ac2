/** CLDR's names of plural forms, in the order in which a message gives its forms. */
const order = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;
export type PluralForm = (typeof order)[number];

/** The plural forms that `language` has, in the order of a message: English has one and other, Arabic all six. */
export function pluralForms(language: string): readonly PluralForm[] {
  const own = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return order.filter((form) => own.includes(form));
}

/**
 * Chooses the form of a message: for vue-i18n on the page, and for what the console writes itself. A message
 * has one form for each plural form of its language; one more stands first and is for exactly none
 * ("no incidents | one incident | {n} incidents"), and with fewer the last one is for all the rest.
 */
export function pluralRule(language: string): (n: number, given: number) => number {
  const rules = new Intl.PluralRules(language);
  const forms = pluralForms(language);
  return (n, given) => {
    const hasNone = given > forms.length ? 1 : 0;
    if (hasNone === 1 && n === 0) return 0;
    return Math.min(forms.indexOf(rules.select(n)) + hasNone, given - 1);
  };
}
