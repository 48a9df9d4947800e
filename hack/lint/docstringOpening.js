// Pronouns, relative words and prepositions delay the subject of a sentence.
const refused = new Set(
  (
    'what who whose whom whoever whatever of those that where its their they it one ones which how ' +
    'as in by for from to with at on under this these such nobody nothing whether'
  ).split(' '),
)

const firstWord = /^\*[\s*]*([A-Za-z]+)/

/** ESLint rule: a docstring opens with its noun or verb. */
export const docstringOpening = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { opening: 'A docstring opens with its noun or verb, not with "{{word}}".' },
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const word = comment.type === 'Block' ? firstWord.exec(comment.value)?.[1] : undefined
        if (word !== undefined && refused.has(word.toLowerCase()))
          context.report({ loc: comment.loc, messageId: 'opening', data: { word } })
      }
    },
  }),
}
