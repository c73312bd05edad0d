import type { ConversationSnapshot, DiagnosedProblem, SnapshotMessage } from '@clew/contracts';
import { dataBlock, speaksToReaders } from '@clew/knowledge';
import { maxCharactersOf, transcriptOf } from '@clew/review';
import type { Mistake } from '../mistakes/index.ts';
import { withoutAddressed } from './addressed.ts';
import { cut } from './cut.ts';
import { toolsBlock } from './tools-block.ts';

/** Shares of the room for the conversation that its parts may take; the messages before the step take the rest. */
const SHARES = { tools: 0.2, rules: 0.25, mistake: 0.1, shownBy: 0.15 } as const;
/** Rule about what a user states in a correction. */
const FROM_CORRECTION =
  'A fact that the user states in that message, and that the assistant could have known, such as how a product or a rule really is, counts as known at the step and may be used and quoted. A wish or a detail of their own that the user tells there for the first time does not: the right message would have asked for it.';
/** Messages after a correction that tell how it went on. */
const MAX_AFTERWARDS = 6;

/**
 * Shows a step of a conversation to a model: rules, tools, what stood before it, the mistaken message, and what shows
 * the mistake. All text of others stands in data blocks.
 */
export function stepMaterial(
  { startedAt, tools, messages }: ConversationSnapshot,
  mistake: Mistake,
  contextLength: number | null,
): string[] {
  const room = maxCharactersOf(contextLength);
  const { correction } = mistake;
  const end = correction === undefined ? mistake.at + 1 : correction.at + 1 + MAX_AFTERWARDS;
  const shown = withoutAddressed(messages.slice(0, end));
  const before = shown.slice(0, mistake.at);
  const { index } = mistake.message;
  const around = [
    `The conversation began on ${new Date(startedAt).toISOString().slice(0, 10)}. Times are in UTC.`,
    ...rulesBlock(before, room * SHARES.rules),
    ...toolsBlock(tools, room * SHARES.tools),
  ];
  const after = [
    `The message ${index} of the assistant, which was a mistake:`,
    dataBlock('mistake', transcript(shown.slice(mistake.at, mistake.at + 1), room * SHARES.mistake)),
    ...shownByBlock(mistake, shown, room * SHARES.shownBy),
  ];
  const left = Math.max(room - lengthOf([...around, ...after]), room * 0.3);
  return [
    ...around,
    `The messages before message ${index}, with the index, role, name and time of each. "[...]" stands for words that are left out:`,
    dataBlock(
      'conversation',
      transcript(
        before.filter(({ role }) => role !== 'system'),
        left,
      ),
    ),
    ...after,
  ];
}

function rulesBlock(before: readonly SnapshotMessage[], room: number): string[] {
  const rules = before.filter(({ role }) => role === 'system');
  if (rules.length === 0) return [];
  const texts = rules.map(({ index, content }) => `[${index}] system: ${cut(content, room / rules.length)}`);
  return ['The rules that the assistant was given:', dataBlock('rules', texts.join('\n'))];
}

function shownByBlock({ problems, correction }: Mistake, shown: readonly SnapshotMessage[], room: number): string[] {
  if (correction === undefined) {
    const texts = problems.map((problem) => cut(described(problem), room / problems.length));
    return ['What was found to be wrong with it, also by what came later:', dataBlock('problems', texts.join('\n'))];
  }
  return [
    `The user corrected it in message ${correction.message.index}; that message, and how it went on:`,
    dataBlock('correction', transcript(shown.slice(correction.at), room)),
    FROM_CORRECTION,
  ];
}

function described({ title, causeAssessment, remediationHint, anchor, location }: DiagnosedProblem): string {
  const quotes = [anchor, ...(location.stepIndex === anchor.stepIndex ? [] : [location])].flatMap((place) =>
    place.quotes.map(({ quote }) => `  message ${place.stepIndex} says: ${quote}`),
  );
  const lines = [title, `  cause: ${causeAssessment}`, `  advice: ${remediationHint}`, ...quotes];
  return lines.filter((line) => !speaksToReaders(line)).join('\n');
}

function transcript(messages: readonly SnapshotMessage[], maxCharacters: number): string {
  const last = messages.at(-1);
  return transcriptOf({ messages: [...messages] }, last === undefined ? [] : [last.index], maxCharacters).text;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
