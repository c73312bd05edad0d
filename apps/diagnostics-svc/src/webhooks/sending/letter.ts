import type { Letter } from '@clew/mail';
import type { SentEvent } from './body.ts';
import { harmlessInLetters } from './harmless.ts';
import { messageLine } from './message-line.ts';

/** Events that one letter tells at most. */
export const EVENTS_OF_LETTER = 50;
const MAX_SUBJECT = 150;

/** Letter that tells events, a line each, oldest first. Words of others have no effect in it. */
export function letterOf(to: string, events: readonly SentEvent[], publicUrl: string): Letter {
  const ordered = [...events].sort((a, b) => a.occurredAt - b.occurredAt);
  const lines = ordered.map(({ type, data, occurredAt }) => {
    const at = new Date(occurredAt).toISOString().slice(0, 16).replace('T', ' ');
    return `${at} UTC  ${messageLine(type, data, { publicUrl, harmless: harmlessInLetters })}`;
  });
  const footer = `Clew sends this because a webhook of the project names your address. People of the project end it at ${publicUrl}`;
  return { to, subject: subjectOf(ordered, publicUrl), text: [...lines, '', footer, ''].join('\n') };
}

function subjectOf([first, ...others]: readonly SentEvent[], publicUrl: string): string {
  if (first === undefined) return 'Clew';
  const [sentence = ''] = messageLine(first.type, first.data, { publicUrl, harmless: harmlessInLetters }).split(
    ' - http',
  );
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const short = sentence.length <= MAX_SUBJECT ? sentence : `${sentence.slice(0, MAX_SUBJECT - 1).toWellFormed()}…`;
  return `[Clew] ${short}${more}`;
}
