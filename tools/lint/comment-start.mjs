/** Words that a comment must not begin with: it begins with a noun that names its subject, or with a verb. */
const RIDDLES = /^(?:what|of|where|wherever|who|whom|whose|whoever|whatever)\b/iu;

/** Text of a comment without its delimiters. */
function textOf({ value }) {
  return value.replace(/^[*\s]+/u, '');
}

/** Whether a line comment continues the line comment directly above it. */
function continues(comment, previous) {
  return comment.type === 'Line' && previous?.type === 'Line' && previous.loc.end.line === comment.loc.start.line - 1;
}

/** ESLint rule: no comment begins with What, Of, Where or Who. */
export const commentStart = {
  meta: {
    type: 'suggestion',
    docs: { description: 'A comment begins with a noun or a verb.' },
    messages: { riddle: 'A comment begins with a noun or a verb and names its thing, not with "{{word}}".' },
    schema: [],
  },
  create({ sourceCode, report }) {
    return {
      Program() {
        let previous;
        for (const comment of sourceCode.getAllComments()) {
          const [word] = RIDDLES.exec(textOf(comment)) ?? [];
          if (word !== undefined && !continues(comment, previous)) {
            report({ loc: comment.loc, messageId: 'riddle', data: { word } });
          }
          previous = comment;
        }
      },
    };
  },
};
