import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  readLines,
  readTauBench,
  readWhoAndWhen,
  toScripted,
  type LabelledConversation,
  type OpenAiMessage,
} from './labelled-conversations.ts';

/**
 * Meaning of a domain's labels: whether the task succeeded, or whether experts call the conversation unsafe. The latter
 * is no outcome of the task, so that it counts false alarms only.
 */
export type LabelKind = 'outcome' | 'safety';

/** Labelled conversations of one domain. */
export interface Domain {
  readonly name: string;
  readonly labels: LabelKind;
  readonly conversations: readonly LabelledConversation[];
}

interface DomainRow {
  id: string;
  model: string;
  task: string;
  reward: number;
  unsafe?: number;
  criticalStep?: number | null;
  criticalAgent?: string | null;
  messages: OpenAiMessage[];
}

const EXTENSION = '.jsonl';

/** Reads a folder with a file of labelled conversations per domain; a folder without such files holds none. */
export function readDomains(folder: string): Domain[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(EXTENSION));
  return files.toSorted().map((file) => {
    const name = file.slice(0, -EXTENSION.length);
    const rows = readLines<DomainRow>(join(folder, file));
    return {
      name,
      labels: rows.some(({ unsafe }) => unsafe !== undefined) ? 'safety' : 'outcome',
      conversations: rows.map((row) => toLabelled(name, row)),
    };
  });
}

/**
 * Reads all labelled conversations below a folder as domains: the files of a domain in it or in its folder `domains`,
 * tau-bench and Who&When.
 */
export function labelledDomains(folder: string): Domain[] {
  const below = join(folder, 'domains');
  const others: Domain[] = [
    { name: 'tau-bench-airline', labels: 'outcome', conversations: readTauBench(folder) },
    { name: 'who-and-when', labels: 'outcome', conversations: readWhoAndWhen(folder) },
  ];
  return [...readDomains(existsSync(below) ? below : folder), ...others].filter(
    ({ conversations }) => conversations.length > 0,
  );
}

function toLabelled(domain: string, row: DomainRow): LabelledConversation {
  const isOfSeveral = row.messages.some(({ role, name }) => role === 'assistant' && name !== undefined);
  return {
    script: {
      conversationId: row.id.replaceAll('/', '-'),
      // Names of speakers are the agents where there are several.
      ...(isOfSeveral ? {} : { agent: `${domain}-agent` }),
      model: row.model,
      messages: row.messages.map(toScripted),
    },
    succeeded: row.reward === 1,
    taskId: row.task,
    mistakeStep: row.criticalStep ?? undefined,
    mistakeAgent: row.criticalAgent ?? undefined,
  };
}
