import { DEFAULT_MASKING, type PrivacySettings, type TelemetryGroup } from '@clew/contracts';
import { createProtectMessage } from '@clew/privacy';
import { planSeed, readSamples } from '@clew/seed';
import { encodeConversation, toTelemetryGroups } from '@clew/testing/dialects';
import { readOptions } from '../support/options.ts';
import { median, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';

const WARM_UP_ROUNDS = 2;
const ON: PrivacySettings = { masking: { ...DEFAULT_MASKING, enabled: true }, contentCapture: 'full', salt: 'bench' };
const OWN: PrivacySettings = {
  ...ON,
  masking: {
    ...ON.masking,
    patterns: ['\\bCU-\\d{8}\\b', '(?i)\\bpatient \\w+', '\\b[A-Z]{3}-\\d{4}-\\d{5}\\b'].map((pattern, index) => ({
      name: `own ${index}`,
      pattern,
    })),
  },
};
const STRUCTURE: PrivacySettings = { masking: DEFAULT_MASKING, contentCapture: 'structure', salt: 'bench' };

/**
 * Measures the processor time of masking per conversation: the messages of the sample conversations as ingest writes
 * them, each conversation in one message with all of its spans, and each with words that were not seen before. Masking
 * off costs nothing; the ratio is to what a message costs anyway, to be parsed and written once.
 */
export function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    copies: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '7' },
  });
  const copies = Number(values.copies);
  const rounds = Number(values.rounds);
  const bodies = messages(copies);
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  const offMs = measure(rounds, bodies, () => (body) => JSON.stringify(JSON.parse(body.toString())));
  const withSettings = (privacy: PrivacySettings) =>
    measure(rounds, bodies, () => {
      const protect = createProtectMessage();
      return (body) => protect({ body, privacy });
    });
  const [onMs, ownMs, structureMs] = [withSettings(ON), withSettings(OWN), withSettings(STRUCTURE)];
  printTable(
    ['settings', 'ms for a conversation'],
    [
      ['off (parsed and written)', round(offMs, 3)],
      ['built-in patterns', round(onMs, 3)],
      ['and three own patterns', round(ownMs, 3)],
      ['structure alone', round(structureMs, 3)],
    ],
  );
  return Promise.resolve({
    msPerConversation: round(onMs, 3),
    msPerConversationOff: round(offMs, 3),
    ratio: round(onMs / offMs, 2),
    msPerConversationOwnPatterns: round(ownMs, 3),
    msPerConversationStructure: round(structureMs, 3),
    conversations: bodies.length,
    bytesPerConversation: round(bytes / bodies.length, 0),
  });
}

function messages(copies: number): Buffer[] {
  const planned = planSeed(readSamples(), Date.now());
  return Array.from({ length: copies }, (_, copy) =>
    planned.map(({ script, ...options }) => {
      const conversationId = `${script.conversationId}-${copy}`;
      const said = script.messages.map((message) => ({ ...message, content: `${message.content} ${copy}` }));
      const told = encodeConversation(
        { ...script, conversationId, messages: said },
        { ...options, dialect: 'genai', idSeed: conversationId },
      );
      const groups: TelemetryGroup[] = toTelemetryGroups(told);
      return Buffer.from(
        JSON.stringify({ id: 'evt', type: 'telemetry.spans.received', data: { receivedAt: 1, groups } }),
      );
    }),
  ).flat();
}

/** Returns the processor time for one message, in milliseconds. */
function measure(rounds: number, bodies: readonly Buffer[], begin: () => (body: Buffer) => unknown): number {
  const perBody: number[] = [];
  for (let round_ = 0; round_ < WARM_UP_ROUNDS + rounds; round_ += 1) {
    const work = begin();
    const before = process.cpuUsage();
    for (const body of bodies) work(body);
    const { user, system } = process.cpuUsage(before);
    if (round_ >= WARM_UP_ROUNDS) perBody.push((user + system) / 1_000 / bodies.length);
  }
  return median(perBody);
}
