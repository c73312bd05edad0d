import { DIALECTS, encodeConversation, type EncodedSpan, type ScriptedConversation } from '@clew/testing';
import { cleanConversation, failingToolConversation } from './conversations.ts';
import { manualExample } from './datasets.ts';
import { wordsOf } from './knowledge-model.ts';
import { inAnyOrder, seededRandom, type Draw } from './seeded-random.ts';

/** The compared parts of a message. */
export interface Said {
  role: string;
  content: string;
  calls: string[];
}

interface Told {
  conversationId: string;
  said: Said[];
  /** Whether its tool fails: then its Finding has one occurrence. */
  isFailing: boolean;
}

/** Conversation sent as spans. */
export interface TracedConversation extends Told {
  spans: EncodedSpan[];
}

export interface ImportedConversation extends Told {
  line: string;
  /** Statement that the user asks to remember, if any. */
  taught: string | undefined;
}

/** Input sent during one fault. */
export interface Wave {
  traced: TracedConversation[];
  imported: ImportedConversation[];
  /** Conversation sent only once, whatever the answer is. */
  stray: TracedConversation;
  /** Texts of Examples created in a batch. */
  batch: string[];
  /** Lines of a Dataset import, as text by derivationKey. The first line repeats one of the previous wave. */
  lines: [derivationKey: string, text: string][];
  /** Text of an Example that is created and then tagged. */
  patched: string;
}

const TRACED = 2;
const IMPORTED = 2;
const BATCH = 3;
const LINES = 4;

/** Input of one wave; it depends only on the seed and the wave number. */
export function waveOf(seed: number, number: number): Wave {
  const draw = seededRandom(seed + number * 7_919);
  const lineKey = (wave: number, index: number): [string, string] => [
    `line-${wave}-${index}`,
    `line ${index} of wave ${wave}`,
  ];
  return {
    traced: Array.from({ length: TRACED }, (_, index) => traced(`traced-${number}-${index}`, draw(2) === 0, draw)),
    imported: Array.from({ length: IMPORTED }, (_, index) => imported(`imported-${number}-${index}`, draw(2) === 0)),
    stray: traced(`stray-${number}`, draw(2) === 0, draw),
    batch: Array.from({ length: BATCH }, (_, index) => `batch ${number} ${index}`),
    lines: [
      ...(number === 0 ? [] : [lineKey(number - 1, LINES - 1)]),
      ...Array.from({ length: LINES }, (_, index) => lineKey(number, index)),
    ],
    patched: `patched ${number}`,
  };
}

function traced(conversationId: string, isFailing: boolean, draw: Draw): TracedConversation {
  const script = isFailing ? failingToolConversation(conversationId) : cleanConversation(conversationId);
  const dialect = DIALECTS[draw(DIALECTS.length)] ?? 'genai';
  const startMs = Date.UTC(2026, 0, 1) + draw(86_400_000);
  const { spans } = encodeConversation(script, { dialect, startMs, idSeed: conversationId });
  return { conversationId, isFailing, said: saidIn(script), spans: inAnyOrder(spans, draw) };
}

function imported(conversationId: string, isTaught: boolean): ImportedConversation {
  const taught = isTaught ? wordsOf(conversationId) : undefined;
  const messages = [
    { role: 'user', content: taught === undefined ? `Which day is ${conversationId} due?` : `Remember: ${taught}` },
    { role: 'assistant', content: taught === undefined ? 'It is due on Tuesday.' : 'I will.' },
  ];
  const said = messages.map((message) => ({ ...message, calls: [] }));
  return { conversationId, isFailing: false, said, taught, line: JSON.stringify({ id: conversationId, messages }) };
}

function saidIn({ messages }: ScriptedConversation): Said[] {
  return messages.map(({ role, content, toolCalls = [] }) => ({
    ...{ role, content },
    calls: toolCalls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`),
  }));
}

/** Expected Examples, each once; those of imports are deduplicated by derivationKey. */
export function examplesOf(waves: readonly Wave[]) {
  const lines = new Map(waves.flatMap(({ lines: ofWave }) => ofWave));
  return [
    ...waves.flatMap(({ batch }) => batch).map((text) => ({ ...manualExample(text), tags: [] as string[] })),
    ...[...lines].map(([key, text]) => ({ ...importedExample(key, text), tags: [] as string[] })),
    ...waves.map(({ patched }) => ({ ...manualExample(patched), tags: ['patched'] })),
  ];
}

export function importedExample(derivationKey: string, text: string) {
  return manualExample(text, { derivationKey });
}
