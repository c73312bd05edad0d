import type { Context } from './command.ts';
import { mayAsk } from './context.ts';
import { usageError } from './exit.ts';

/** Reads a secret that is typed or piped in. It is never an argument, which others on the machine could see. */
export async function secretFrom(context: Context, question: string): Promise<string> {
  const given = mayAsk(context) ? await context.io.ask(question, { isSecret: true }) : await context.read('-');
  const secret = given?.trim() ?? '';
  if (secret === '') throw usageError('There is no secret', 'Pipe one in');
  return secret;
}
