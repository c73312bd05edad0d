const SUBJECTS = ['invoice', 'parcel', 'password', 'subscription', 'refund', 'delivery', 'contract', 'account'];
const VERBS = ['find', 'change', 'cancel', 'explain', 'repeat', 'confirm', 'move', 'check'];
const SENTENCES = 8;

/** Example of about 1 KB, like those of a support team; each one contains different words. */
export function exampleAt(index: number): object {
  return {
    source: { kind: 'import', externalRef: `ticket-${index}`, derivationKey: `ticket-${index}` },
    tags: [`queue-${index % 20}`],
    payload: {
      input: {
        type: 'chat',
        messages: [
          { role: 'system', content: 'You answer questions of customers, briefly and politely.' },
          { role: 'user', content: talk(index, 3) },
        ],
      },
      expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: talk(index + 7, SENTENCES) } },
    },
  };
}

function talk(seed: number, sentences: number): string {
  let state = (seed * 2_654_435_761) >>> 0;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from(
    { length: sentences },
    () =>
      `Could you ${VERBS[draw(VERBS.length)]} the ${SUBJECTS[draw(SUBJECTS.length)]} number ${draw(1_000_000)} of ${draw(10_000)} for me?`,
  ).join(' ');
}

/** Lines of an import file, in chunks of some hundred KB. */
export function* importLines(count: number, firstIndex = 0): Generator<string> {
  const perPiece = 200;
  for (let start = 0; start < count; start += perPiece) {
    const length = Math.min(perPiece, count - start);
    yield Array.from({ length }, (_, index) => `${JSON.stringify(exampleAt(firstIndex + start + index))}\n`).join('');
  }
}
