/** The form of a commit's message: `area: imperative`, under 72 characters; what follows stands after an empty line. */
export default {
  parserPreset: {
    parserOpts: { headerPattern: /^([^:]+): (.+)$/, headerCorrespondence: ['type', 'subject'] },
  },
  rules: {
    'header-max-length': [2, 'always', 71],
    'type-empty': [2, 'never'],
    'subject-empty': [2, 'never'],
    'subject-full-stop': [2, 'never', '.'],
    'body-leading-blank': [2, 'always'],
  },
};
