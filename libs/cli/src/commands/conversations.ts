import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { list } from '../list.ts';
import { choice, choices, either, IDEMPOTENCY_KEY, own, text, when, whole } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { CONVERSATION_COLUMNS, severity, state } from '../output/columns.ts';
import { uploadEach } from '../upload.ts';
import { WAITING, waitFor } from '../waiting.ts';
import { watch } from '../watch.ts';

const FILTERS = [
  when('--since <time>', 'only started after a time', 'startedAfter'),
  when('--until <time>', 'only started before a time', 'startedBefore'),
  text('--agent <name>', 'only of this agent'),
  text('--model <name>', 'only with this model'),
  text('--user <id>', 'only of this user', { sets: 'userId' }),
  choice('--state <state>', 'only in this state', ['active', 'ready']),
  text('--tool <name>', 'only with calls of this tool'),
  whole('--min-messages <count>', 'only with so many messages'),
  text('--score <name>', 'only with such a score: name:success or name:failure'),
  text('--search <words>', 'only with these words', { sets: 'q' }),
  ...either('has-finding', 'only with Findings', 'only without Findings'),
  ...either('has-error', 'only with errors', 'only without errors'),
];

const IMPORT_COLUMNS: readonly Column<Api.ConversationImportReport>[] = [
  column('IMPORTED', ({ imported }) => imported),
  column('REFUSED', ({ refusedCount }) => refusedCount),
];

const SCORE_COLUMNS: readonly Column<Api.Score>[] = [
  column('ID', ({ id }) => id),
  column('NAME', ({ name }) => name),
  column('VALUE', ({ value }) => value),
  column('SOURCE', ({ source }) => source),
];

const ERASURE_FIELDS: readonly Column<Api.Erasure>[] = [
  column('ID', ({ id }) => id),
  column('CONVERSATION', ({ conversationId }) => conversationId),
  column('STATUS', ({ status }) => state(status)),
  column('REQUESTED', ({ requestedAt }) => ({ at: requestedAt })),
  column('COMPLETED', ({ completedAt }) => ({ at: completedAt })),
];

/** Verbs of conversations. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list conversations, newest first', columns: CONVERSATION_COLUMNS, options: FILTERS },
    example: 'conversations list --has-finding --since 7d',
    call: (clew, query) => clew.conversations.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a conversation with all its messages', args: '<conversation>' },
    ...{ example: 'conversations show conv-1', run: show },
  },
  watch({
    ...{ type: 'conversation', name: 'tail', summary: 'show conversations as they come in' },
    ...{ columns: CONVERSATION_COLUMNS, example: 'conversations tail' },
    latest: (clew, query) => clew.conversations.list(query),
    read: (clew, id, query) => clew.conversations.get(id, query),
    stampOf: ({ lastActivityAt, findingCount }) => lastActivityAt * 1_000 + findingCount,
  }),
  {
    ...{ name: 'import', summary: 'import conversations: a JSON object {id?, messages, metadata?} a line' },
    ...{ args: '<file...>', example: 'conversations import conversations.jsonl' },
    async run(context) {
      const clew = await context.client();
      const { signal } = context;
      return await uploadEach(
        context,
        context.args,
        IMPORT_COLUMNS,
        async ({ source, onProgress }) => await clew.conversations.import(source, { signal, onProgress }),
      );
    },
  },
  {
    ...{ name: 'erase', summary: 'erase conversations, with everything that was made of them' },
    ...{ args: '<conversation...>', destroys: 'conversations and what was made of them', options: WAITING },
    example: 'conversations erase conv-1',
    run: erase,
  },
  list({
    ...{ name: 'erasures', summary: 'list erasures of conversations', columns: ERASURE_FIELDS },
    options: [choice('--status <status>', 'only with this status', ['running', 'completed'])],
    example: 'conversations erasures --status running',
    call: (clew, query) => clew.erasures.list(query),
  }),
  {
    ...{ name: 'score', summary: 'record feedback on a conversation', args: '<conversation> <name> <value>' },
    options: [own('--comment <text>', 'why'), IDEMPOTENCY_KEY],
    example: 'conversations score conv-1 solved true --comment "It works now"',
    async run(context) {
      const comment = context.text('comment');
      const body = {
        ...{ name: context.arg(1), value: valueOf(context.arg(2)), source: 'user' as const },
        ...(comment === undefined ? {} : { comment }),
      };
      const clew = await context.client();
      const score = await clew.conversations.score(context.arg(0), body, context.query());
      await context.output.rows([score], SCORE_COLUMNS, score);
    },
  },
  {
    ...{ name: 'diagnosis', summary: 'show where a conversation probably went wrong', args: '<conversation>' },
    ...{ example: 'conversations diagnosis conv-1', run: diagnose },
  },
  {
    ...{ name: 'counts', summary: 'count conversations by some of their properties' },
    options: [...FILTERS, choices('--by <properties>', 'properties', ['state', 'hasError', 'hasFinding'])],
    example: 'conversations counts --by state,hasFinding',
    async run(context) {
      const clew = await context.client();
      const counted = await clew.conversations.count(context.query());
      const groups = Object.entries(counted.counts);
      const rows = groups.flatMap(([by, values]) => values.map(({ value, count }) => ({ by, value, count })));
      await context.output.rows(
        [{ by: 'total', value: '', count: counted.total.count }, ...rows],
        [
          column('BY', ({ by }) => by),
          column('VALUE', ({ value }) => String(value)),
          column('COUNT', ({ count }) => count),
        ],
        counted,
      );
    },
  },
];

function valueOf(given: string): number | boolean | string {
  if (given === 'true' || given === 'false') return given === 'true';
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(given) ? Number(given) : given;
}

const FIELDS: readonly Column<Api.Conversation>[] = [
  column('ID', ({ id }) => id),
  column('STATE', (conversation) => state(conversation.state)),
  column('STARTED', ({ startedAt }) => ({ at: startedAt })),
  column('LAST ACTIVITY', ({ lastActivityAt }) => ({ at: lastActivityAt })),
  column('AGENTS', ({ agents }) => ({ words: agents })),
  column('MODELS', ({ models }) => ({ words: models })),
  column('USER', ({ userId }) => userId),
  column('MESSAGES', ({ messageCount }) => messageCount),
  column('ERRORS', ({ errorCount }) => errorCount),
  column('FINDINGS', ({ findingCount }) => findingCount),
  column('TOKENS', ({ usage }) => `${usage.inputTokens} in, ${usage.outputTokens} out`),
];

async function show(context: Context): Promise<void> {
  const { output, signal } = context;
  const clew = await context.client();
  const conversation = await clew.conversations.get(context.arg(0), { signal });
  const passages = conversation.messages.map((message) => {
    const calls = (message.toolCalls ?? []).map(({ name, arguments: given }) => `-> ${name}(${JSON.stringify(given)})`);
    return {
      title: `#${message.index} ${message.role}`,
      text: [message.content, ...calls].filter((part) => part !== '').join('\n'),
      isVerbatim: message.role === 'tool',
    };
  });
  await output.record(conversation, FIELDS, passages);
}

async function erase(context: Context): Promise<void> {
  const clew = await context.client();
  const { output, signal } = context;
  for (const id of context.args) {
    const asked = await clew.conversations.erase(id, { signal });
    if (!context.flag('wait')) {
      await output.record(asked, [column('ERASURE', ({ erasureId }) => erasureId)]);
      continue;
    }
    const erased = await waitFor(context, (options) => clew.erasures.wait(asked.erasureId, options), {
      stateOf: ({ status }: Api.Erasure) => status,
    });
    await output.record(erased, ERASURE_FIELDS);
  }
}

async function diagnose(context: Context): Promise<void> {
  const clew = await context.client();
  const diagnosis = await clew.conversations.diagnosis(context.arg(0), { signal: context.signal });
  const symptoms = diagnosis.symptoms.map(({ severity: how, title, score }) => `- ${how} ${title} (${score})`);
  const suspects = diagnosis.suspects.map(
    ({ agent, stepIndex, because, score }) => `- ${agent}, step ${stepIndex}: ${because} (${score})`,
  );
  await context.output.record(
    diagnosis,
    [
      column('CONVERSATION', ({ conversationId }) => conversationId),
      column('SCORE', ({ score }) => score),
      column('FROM', ({ scoreSource }) => scoreSource?.kind),
      column('WORST', ({ symptoms: [first] }) => (first === undefined ? '-' : severity(first.severity))),
      column('FINDINGS', ({ findings }) => ({ words: findings.map(({ id }) => id) })),
    ],
    [
      ...(symptoms.length === 0 ? [] : [{ title: 'Symptoms', text: symptoms.join('\n') }]),
      ...(suspects.length === 0 ? [] : [{ title: 'Suspects', text: suspects.join('\n') }]),
    ],
  );
}
