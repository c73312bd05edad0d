import { dataBlocksOf, startProvider, type ChatRequest, type ScriptedAnswer } from '@clew/testing/provider';
import type { Endpoint } from '../backfill/stand-ins.ts';

/** Share of the conversations in which the model finds a grave problem, which takes a second look. */
const EVERY = 4;

/** Model endpoint that reads at once: in every fourth conversation it finds a grave problem, which a sceptic confirms. */
export async function startReviewer(): Promise<Endpoint> {
  let reviews = 0;
  const reply = (request: ChatRequest): ScriptedAnswer => {
    const blocks = dataBlocksOf(request);
    if (request.messages[0]?.content?.toString().includes('Be sceptical') === true)
      return { text: JSON.stringify({ problems: [{ problem: 1, against: '', because: 'It is', holds: 'yes' }] }) };
    reviews += 1;
    const [, index, said = ''] =
      blocks.map((block) => /^\[(\d+)\] assistant[^:]* at [\d:]+: (.{12,})$/m.exec(block)).find((found) => found) ?? [];
    const problem = {
      ...{ messageIndex: Number(index), category: 'wrong_answer', severity: 'high', sentence: 'It is wrong.' },
      ...{ kind: 'gives a wrong answer', title: 'The assistant gives a wrong answer' },
      quotes: [{ messageIndex: Number(index), quote: said }],
    };
    const problems = index !== undefined && reviews % EVERY === 0 ? [problem] : [];
    return {
      text: JSON.stringify({
        ...{ account: 'It was read.', wanted: 'An answer', problems, decisiveMessage: null },
        ...{
          verdict: problems.length > 0 ? 'failed' : 'achieved',
          failureProbability: problems.length > 0 ? 0.9 : 0.1,
        },
      }),
    };
  };
  const provider = await startProvider({ reply });
  return { url: new URL(provider.url).origin, stop: () => provider.stop() };
}
