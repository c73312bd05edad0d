import { createHash } from 'node:crypto';
import type { Conversation, KnowledgeBackfill, KnowledgeItem, RequestedKnowledgeBackfill } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { allText, capableModel, dataBlocksOf, type Reply, type ScriptedAnswer } from '@clew/testing/provider';
import { callApi } from './api.ts';
import type { TestProject } from './test-project.ts';

/** Statement that the model extracts from one message. */
interface Claim {
  content: string;
  quote: string;
}

/** Matches the words that a user asks to remember. */
const TAUGHT = /^\[(\d+)\] user[^\n]*? \d\d:\d\d: Remember: (.+)$/gm;

/** Scripted model: it accepts every statement, and extracts the claims of `claimsOf` from each taught message. */
export function extractionModel(claimsOf: (said: string) => Claim[] = wordForWord, before?: Reply): Reply {
  return capableModel(async (request): Promise<ScriptedAnswer> => {
    const blocks = dataBlocksOf(request);
    if (allText(request).includes('You check statements against quotes')) {
      const verdicts = blocks.map((_, index) => ({ statement: index + 1, follows: true, reason: 'none' }));
      return { text: JSON.stringify({ verdicts }) };
    }
    if (allText(request).includes('You compare new statements')) return { text: '{"statements":[]}' };
    if (!allText(request).includes('You collect what a team can learn')) return { text: '{"verdicts":[]}' };
    const more = await before?.(request);
    const items = [...(blocks.at(-1) ?? '').matchAll(TAUGHT)].flatMap(([, index, said = '']) =>
      claimsOf(said).map(({ content, quote }) => ({
        ...{ title: content, content, kind: 'fact', confidence: 0.9, authority: 'user_stated' },
        evidence: [{ messageIndex: Number(index), quote }],
      })),
    );
    return { ...more, text: JSON.stringify({ items }) };
  });
}

function wordForWord(said: string): Claim[] {
  return [{ content: said, quote: said }];
}

/** Words that no other statement shares, so that no statement is judged similar or contrary to another. */
export function wordsOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const letters = [...hash].map((digit) => 'bcdfghjklmpqrtvw'[Number.parseInt(digit, 16)]).join('');
  return (letters.match(/.{8}/g) ?? []).join(' ');
}

/** Imports one conversation per entry, in which a user teaches the given statement. */
export async function importTaught(project: TestProject, taught: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(taught).map(([id, said]) => {
    const messages = [
      { role: 'user', content: `Remember: ${said}` },
      { role: 'assistant', content: 'I will.' },
    ];
    return JSON.stringify({ id, messages });
  });
  const path = `/v1/projects/${project.id}/conversations/import`;
  const headers = { 'content-type': 'application/x-ndjson' };
  const { status } = await callApi(project.apiKey, path, { body: lines.join('\n'), headers });
  if (status !== 200) throw new Error(`The import answers ${status}`);
}

export async function newGoal(project: TestProject, model = 'loop/wise'): Promise<string> {
  const body = { name: 'Facts', instruction: 'Learn what lasts', model };
  const made = await project.call<{ id: string }>('/knowledge/goals', { body });
  if (made.status !== 201) throw new Error(`No goal: ${JSON.stringify(made.body)}`);
  return made.body.id;
}

export async function itemsOf(project: TestProject, query = ''): Promise<KnowledgeItem[]> {
  const items: KnowledgeItem[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await project.call<{ items: KnowledgeItem[]; nextCursor: string | null }>(
      `/knowledge/items?limit=500${query}${at}`,
    );
    items.push(...body.items);
    cursor = body.nextCursor;
  }
  return items;
}

export function requestBackfill(project: TestProject, goalId: string, body: object, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const path = `/knowledge/goals/${goalId}/backfills`;
  return project.call<RequestedKnowledgeBackfill>(path, { body, headers });
}

export function backfillIn(
  project: TestProject,
  goalId: string,
  { backfillId, state }: Pick<KnowledgeBackfill, 'backfillId' | 'state'>,
  timeoutMs: number,
): Promise<KnowledgeBackfill> {
  return eventually(
    async () => {
      const { body } = await project.call<KnowledgeBackfill>(`/knowledge/goals/${goalId}/backfills/${backfillId}`);
      if (body.state !== state) throw new Error(JSON.stringify(body));
      return body;
    },
    { timeoutMs, intervalMs: 200 },
  );
}

/** Quotes of an item whose text differs from the conversation at the recorded position. */
export async function unlockedQuotes(project: TestProject, { evidence }: KnowledgeItem): Promise<string[]> {
  const unlocked: string[] = [];
  for (const { conversationId, messageIndex, quote, startChar, endChar } of evidence) {
    const { body } = await project.call<Conversation>(`/conversations/${conversationId}`);
    const content = body.messages[messageIndex]?.content ?? '';
    if (content.slice(startChar, endChar) !== quote) unlocked.push(quote);
  }
  return unlocked;
}
