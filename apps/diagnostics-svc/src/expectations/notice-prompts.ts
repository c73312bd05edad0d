import { MAX_PROMPT_TOOLS, type ShownPrompt } from '@clew/contracts';
import { derivedId, type Clock } from '@clew/kernel';
import { insertNew, type Database } from '@clew/persistence';
import { expectationSetCollection } from './expectation.model.ts';
import { promptCollection, type PromptDocument } from './prompt.model.ts';

/** New prompts of a project that are accepted per day (UTC); later conversations show the others again. */
export const MAX_NEW_PROMPTS_A_DAY = 20;

/** Prompts that a process remembers, so that known ones cost no read. */
const MAX_REMEMBERED = 10_000;
const DAY_MS = 24 * 3_600_000;

export interface NoticedPrompt extends ShownPrompt {
  projectId: string;
}

export interface PromptNotices {
  /** Makes prompts due for compilation if they are new, or if further tools were seen with them. */
  notice(shown: readonly NoticedPrompt[]): Promise<void>;
  /** Forgets a prompt that is no longer stored, so that the next conversation that shows it makes it due again. */
  forget(promptId: string): void;
  /** Registers the listener that is told when this process has made a prompt due. */
  onDue(tell: () => void): void;
}

export interface NoticePromptsDependencies {
  database: Database;
  clock: Clock;
}

export function createNoticePrompts({ database, clock }: NoticePromptsDependencies): PromptNotices {
  const prompts = promptCollection(database);
  const sets = expectationSetCollection(database);
  /** Stored tools, by prompt. */
  const remembered = new Map<string, ReadonlySet<string>>();
  /** Day on which the limit of new prompts was reached, by project. */
  const spent = new Map<string, string>();
  let tellDue = (): void => undefined;

  function remember(id: string, tools: readonly string[]): void {
    remembered.delete(id);
    remembered.set(id, new Set(tools));
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
  }

  /** Counts a new prompt, and returns whether the day's limit allows it. */
  async function takeOne(projectId: string, nowMs: number): Promise<boolean> {
    const day = dayOf(nowMs);
    if (spent.get(projectId) === day) return false;
    const counted = await sets.findOneAndUpdate({ _id: projectId }, [{ $set: countedOn(day) }], {
      upsert: true,
      returnDocument: 'after',
    });
    if ((counted?.promptCount ?? 1) <= MAX_NEW_PROMPTS_A_DAY) return true;
    spent.set(projectId, day);
    return false;
  }

  /** Stores a prompt, and returns its tools; undefined if the day's limit of the project is reached. */
  async function storeNew(id: string, { projectId, promptHash, agent, tools, snapshotId }: NoticedPrompt) {
    const nowMs = clock.now();
    if (!(await takeOne(projectId, nowMs))) return undefined;
    const document: PromptDocument = {
      ...{ _id: id, projectId, promptHash, tools, snapshotId, createdAt: nowMs, dueAt: nowMs },
      ...(agent === undefined ? {} : { agent }),
    };
    await insertNew(prompts, [document]);
    tellDue();
    remember(id, tools);
    return tools;
  }

  /** Adds tools to a stored prompt, and returns all that it has then. */
  async function addTools(id: string, known: readonly string[], shown: NoticedPrompt): Promise<readonly string[]> {
    const tools = [...new Set([...known, ...shown.tools])].slice(0, MAX_PROMPT_TOOLS);
    if (tools.length > known.length) {
      const nowMs = clock.now();
      const dueAt = { $cond: [{ $eq: ['$dueAt', nowMs] }, nowMs + 1, nowMs] };
      const set = { tools: { $literal: tools }, snapshotId: { $literal: shown.snapshotId }, dueAt };
      await prompts.updateOne({ _id: id }, [{ $set: set }]);
      tellDue();
    }
    remember(id, tools);
    return tools;
  }

  function isCovered(id: string, { tools }: NoticedPrompt): boolean {
    const known = remembered.get(id);
    return known !== undefined && (known.size >= MAX_PROMPT_TOOLS || tools.every((tool) => known.has(tool)));
  }

  return {
    async notice(shown) {
      const unknown = shown
        .map((prompt) => ({ id: promptIdOf(prompt), prompt }))
        .filter(({ id, prompt }) => !isCovered(id, prompt));
      if (unknown.length === 0) return;
      const stored = await toolsOf(
        prompts,
        unknown.map(({ id }) => id),
      );
      for (const { id, prompt } of unknown) {
        const known = stored.get(id);
        const tools = known === undefined ? await storeNew(id, prompt) : await addTools(id, known, prompt);
        // The prompt can occur again, with further tools.
        if (tools !== undefined) stored.set(id, tools);
      }
    },
    forget: (promptId) => void remembered.delete(promptId),
    onDue: (tell) => void (tellDue = tell),
  };
}

/** Fields of a project's set with one more new prompt on that day. */
function countedOn(day: string) {
  const count = { $cond: [{ $eq: ['$promptDay', day] }, { $ifNull: ['$promptCount', 0] }, 0] };
  return {
    revision: { $ifNull: ['$revision', 0] },
    active: { $ifNull: ['$active', 0] },
    promptCount: { $min: [{ $add: [count, 1] }, MAX_NEW_PROMPTS_A_DAY + 1] },
    promptDay: day,
  };
}

/** Reads the stored tools of prompts, by prompt. */
async function toolsOf(
  prompts: ReturnType<typeof promptCollection>,
  ids: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const found = await prompts.find({ _id: { $in: [...ids] } }, { projection: { tools: 1 } }).toArray();
  return new Map(found.map(({ _id, tools }) => [_id, tools]));
}

function promptIdOf({ projectId, promptHash, agent = '' }: NoticedPrompt): string {
  return derivedId('prm', projectId, promptHash, agent);
}

function dayOf(nowMs: number): string {
  return new Date(nowMs - (nowMs % DAY_MS)).toISOString().slice(0, 10);
}
