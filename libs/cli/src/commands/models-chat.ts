import type { Clew } from '@clew/sdk';
import type { Context } from '../command.ts';
import { mayAsk } from '../context.ts';
import { usageError } from '../exit.ts';
import type { Talk } from '../io.ts';
import { printable } from '../output/text.ts';

interface Message {
  [more: string]: unknown;
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Piece of an answer, as the OpenAI API has it. */
interface Piece {
  choices?: { delta?: { content?: string | null } }[];
}

const DEFAULT_MODEL = 'service/auto';
/** Time after which a person is told that the model is slow. */
const PATIENCE_MS = 4_000;
const HELP =
  '/system <text>  instruction before everything\n/reset  begin anew\n/exit  leave\n"""  begin or end several lines\n';

/** Talks with a model: once, or until the person leaves. */
export async function chat(context: Context): Promise<void> {
  const [model = DEFAULT_MODEL, message] = context.args;
  const system = context.text('system');
  const history: Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
  const clew = await context.client();
  if (message === undefined && mayAsk(context)) return await converse(context, clew, model, history);
  const content = (message ?? (await context.read('-'))).trim();
  if (content === '') throw usageError('Say something', 'clew models chat <model> "Hello"');
  await once(context, clew, model, [...history, { role: 'user', content }]);
}

function bodyOf(context: Context, model: string, messages: readonly Message[]) {
  const maxTokens = context.number('maxTokens');
  return { model, messages: [...messages], ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) };
}

async function once(context: Context, clew: Clew, model: string, messages: readonly Message[]): Promise<void> {
  const { output, signal } = context;
  const body = bodyOf(context, model, messages);
  if (output.form === 'json') return await output.json(await clew.inference.chatCompletions.create(body, { signal }));
  for await (const piece of clew.inference.chatCompletions.create(body, { signal })) {
    await output.text((piece as Piece).choices?.[0]?.delta?.content ?? '');
  }
  await output.text('\n');
}

/** Reads lines and answers them; Ctrl-C stops an answer, and leaves at the prompt. */
async function converse(context: Context, clew: Clew, model: string, history: Message[]): Promise<void> {
  const talk = await context.io.talk();
  await context.output.note(`Talking with ${model}; /help for more`);
  try {
    for (;;) {
      const said = await readTurn(talk);
      if (said === undefined || said === '/exit') return;
      if (await obeyed(context, said, history)) continue;
      history.push({ role: 'user', content: said });
      await talk.during((signal) => answer(context, { clew, model, history, signal }));
    }
  } finally {
    talk.end();
  }
}

/** Reads what a person says: a line, or several between lines of three quotes; undefined if they leave. */
async function readTurn(talk: Talk): Promise<string | undefined> {
  const first = await talk.line('> ');
  if (first?.startsWith('"""') !== true) return first?.trim();
  const parts = [first.slice(3)];
  for (;;) {
    const next = await talk.line('. ');
    if (next === undefined) return undefined;
    if (next.endsWith('"""')) return [...parts, next.slice(0, -3)].join('\n').trim();
    parts.push(next);
  }
}

async function obeyed({ output }: Context, said: string, history: Message[]): Promise<boolean> {
  if (said === '') return true;
  if (!said.startsWith('/')) return false;
  const system = /^\/system (.+)$/s.exec(said)?.[1];
  if (system !== undefined) {
    if (history[0]?.role === 'system') history.shift();
    history.unshift({ role: 'system', content: system });
  } else if (said === '/reset') history.splice(history[0]?.role === 'system' ? 1 : 0);
  else await output.note(HELP);
  return true;
}

async function answer(
  context: Context,
  { clew, model, history, signal }: { clew: Clew; model: string; history: Message[]; signal: AbortSignal },
): Promise<void> {
  const { io, output } = context;
  let content = '';
  const saidFirst = new AbortController();
  // A busy model takes its time; a person should not wonder whether it was heard.
  io.pause(PATIENCE_MS, saidFirst.signal).then(
    () => output.note('The model has not begun yet; Ctrl-C takes the question back'),
    () => undefined,
  );
  try {
    for await (const piece of clew.inference.chatCompletions.create(bodyOf(context, model, history), { signal })) {
      const words = (piece as Piece).choices?.[0]?.delta?.content ?? '';
      if (words !== '') saidFirst.abort();
      content += words;
      await io.stdout.write(printable(words));
    }
  } catch (error) {
    // A failed answer does not end the talk.
    if (!signal.aborted) await output.note(`error: ${(error as Error).message}`);
  }
  saidFirst.abort();
  await io.stdout.write('\n');
  if (content === '') history.pop();
  else history.push({ role: 'assistant', content });
}
