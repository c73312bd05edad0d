import type { ConversationSnapshot, ReviewedProblem } from '@clew/contracts';
import type { PromptMessage } from './prompt-message.ts';
import { DATA_RULE, dataBlock } from '@clew/knowledge';
import { headOf } from './review-prompt.ts';
import { transcriptOf } from './transcript.ts';

/** Share of a reviewer's room that the sceptic's excerpt takes: the rules, and what surrounds the quotes. */
const SHARE_OF_ROOM = 0.5;
const AROUND = 4;

const INSTRUCTIONS = `Somebody read a conversation between users, AI assistants and their tools, and says that the grave problems below are in it. Be sceptical, as the counsel of the assistant would be: for each problem look for what speaks against it, in the rules of the assistant, in what the user said or agreed to, and in what the tools returned. A thing that the rules allow or demand is no problem, nor is one that was repaired before it did harm.
Answer with a JSON object {"problems": [{"problem": 1, "against": "...", "because": "...", "holds": "yes"}]}, one entry for each problem: "against" is the best that can be said for the assistant, "because" says in one or two sentences what decides, and "holds" is
- "yes" if a fair judge would still call it a grave mistake: what is shown proves that the user did not get what they asked for, was told something wrong that matters, or that harm was done;
- "no" if there is no such mistake;
- "unclear" if it is a mistake but the result may be right all the same, if its harm is not shown, if the assistant's last words ask the user for something so that the matter is still open, or if what is shown does not tell.
${DATA_RULE}`;

/** Builds the second question about problems: what a sceptic says of them. */
export function scepticPrompt(
  snapshot: ConversationSnapshot,
  problems: readonly ReviewedProblem[],
  maxCharacters: number,
): PromptMessage[] {
  const steps = problems.flatMap(({ stepIndex, quotes }) => [stepIndex, ...quotes.map((quote) => quote.stepIndex)]);
  const around = snapshot.messages.filter(
    ({ index, role }) => role === 'system' || steps.some((step) => Math.abs(step - index) <= AROUND),
  );
  const { text } = transcriptOf({ messages: around }, steps, Math.floor(maxCharacters * SHARE_OF_ROOM));
  return [
    { role: 'system', content: INSTRUCTIONS },
    {
      role: 'user',
      content: [
        ...headOf(snapshot),
        'What surrounds the problems; messages in between are left out:',
        dataBlock('conversation', text),
        'The problems:',
        dataBlock('problems', problems.map(described).join('\n\n')),
      ].join('\n'),
    },
  ];
}

function described({ stepIndex, sentence, quotes }: ReviewedProblem, position: number): string {
  const said = quotes.flatMap(({ stepIndex: step, quotes: own }) =>
    own.map(({ quote }) => `  message ${step}: ${quote}`),
  );
  return `Problem ${position + 1}, at message ${stepIndex}: ${sentence}\n${said.join('\n')}`;
}
