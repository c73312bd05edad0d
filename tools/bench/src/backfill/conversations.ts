import type { ConversationSnapshot, ReadySnapshot } from '@clew/contracts';
import { createSnapshots } from '../rules/workload.ts';

const TEMPLATES = 50;
const PREFIX = 'cesr_';
const SYLLABLES = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'su', 'ta', 've', 'ki', 'zo', 'ha', 'ru'];
const WORDS_SAID = 10;

/** Endless source of conversations, generated on request: the first user message of each differs from all others. */
export interface Conversations {
  /** Entry of the list of ready conversations; its last activity is at `number` milliseconds. */
  ready(number: number): ReadySnapshot;
  snapshot(projectId: string, snapshotId: string): ConversationSnapshot;
}

export function createConversations(messages: number): Conversations {
  const templates = createSnapshots(TEMPLATES, messages);
  const templateOf = (number: number) => templates[number % TEMPLATES] as ConversationSnapshot;
  return {
    ready(number) {
      const { contentHash, revision, agents } = templateOf(number);
      return {
        ...{ conversationId: `chat ${number}`, snapshotId: `${PREFIX}${String(number).padStart(26, '0')}` },
        ...{ contentHash, messagesHash: contentHash, revision, agents, startedAt: number, lastActivityAt: number },
        messageCount: messages,
      };
    },
    snapshot(projectId, snapshotId) {
      const number = Number(snapshotId.slice(PREFIX.length));
      const template = templateOf(number);
      const first = template.messages.find(({ role }) => role === 'user');
      const said = template.messages.map((message) =>
        message === first ? { ...message, content: sentenceOf(number) } : message,
      );
      return { ...template, projectId, snapshotId, conversationId: `chat ${number}`, messages: said };
    },
  };
}

/** Sentence that shares few words with those of other numbers. */
function sentenceOf(number: number): string {
  const words: string[] = [];
  let state = number + 1;
  for (let index = 0; index < WORDS_SAID; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    words.push([28, 22, 16, 10].map((shift) => SYLLABLES[(state >>> shift) & 15]).join(''));
  }
  return `The office wants ${words.join(' ')}.`;
}
