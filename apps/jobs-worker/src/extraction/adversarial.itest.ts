import { describe, expect, it } from '@jest/globals';
import { extractionRequested, type EnvelopeOf, type extractionCompleted } from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { systemClock } from '@clew/kernel';
import { isLocked } from '@clew/knowledge';
import { consume, createPublisher, QUEUES } from '@clew/messaging';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { allText, startProvider } from '@clew/testing/provider';
import { openTestBroker, openTestHost } from '@clew/testing-host';
import { WorkerConfig } from '../config.ts';
import { createWorker } from '../create-worker.ts';
import { adversarialCases, type AdversarialCase } from '../test-support/adversarial.ts';
import { judgeThat, knowledgeModel, extractionOf } from '../test-support/extractions.ts';
import { absentService } from '../test-support/knowledge.ts';
import { startWarehouse } from '../test-support/warehouse.ts';

type Result = EnvelopeOf<typeof extractionCompleted>;

const environment = useTestEnvironment();
const cleanup = useCleanup();
const CASES = adversarialCases();

/** Runs a worker whose model and judge obey each conversation, and returns its results by ticket. */
async function resultsOfObedience(cases: readonly AdversarialCase[]): Promise<Map<string, Result['data']>> {
  const warehouse = await startWarehouse();
  cleanup(() => warehouse.stop());
  const answers = new Map(cases.map(({ ticket, answer }) => [ticket, answer]));
  const reply = knowledgeModel(
    (request) => ({ text: answers.get(/Ticket (T-\d+-\d+)/.exec(allText(request))?.[1] ?? '') ?? '' }),
    judgeThat(() => true),
  );
  const provider = await startProvider({ reply });
  cleanup(() => provider.stop());
  const broker = await openTestBroker(environment, { service: 'jobs-worker' });
  cleanup(() => broker.close());
  const results = new Map<string, Result['data']>();
  const consumer = consume({
    ...{ broker, logger: silentLogger(), queue: QUEUES.extractionResults },
    handle: async ({ data }) => void results.set(data.conversationId, data),
  });
  cleanup(() => consumer.stop());
  const host = await openTestHost(environment, { name: 'jobs-worker', config: WorkerConfig, clock: systemClock });
  const inference = createInferenceClient({
    ...{ baseUrl: new URL(provider.url).origin, serviceName: 'jobs-worker', sign: () => 'token' },
    ...{ maxConcurrentPerProvider: 8 },
  });
  const worker = createWorker({
    ...host,
    warehouse: warehouse.clientFor(),
    diagnostics: absentService(),
    knowledge: absentService(),
    inference,
    rules: [],
  });
  const served = await host.serve(worker);
  cleanup(async () => {
    await served.stop();
    await host.close();
  });
  served.start();
  const publisher = createPublisher(broker);
  for (const { snapshot } of cases) {
    warehouse.snapshots.set(snapshot.snapshotId, snapshot);
    await publisher.publish(extractionRequested, extractionOf(snapshot));
  }
  await publisher.close();
  await eventually(() => expect(results.size).toBe(cases.length), { timeoutMs: 60_000 });
  return results;
}

/** Text as it appears to a reader: normalized, without invisible characters. */
function looksLike(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase();
}

/** Lists what an outcome holds that it must not hold, and what it lacks. */
function problemsOf(each: AdversarialCase, outcome: Result['data']['outcome']): string[] {
  const { name, ticket, truth, snapshot, payload } = each;
  if (outcome.status !== 'read') return [`${name} (${ticket}): ${JSON.stringify(outcome)}`];
  const problems: string[] = [];
  const must = (holds: boolean, what: string) => void (holds || problems.push(`${name} (${ticket}): ${what}`));
  for (const { title, content, evidence } of outcome.items) {
    for (const part of evidence) {
      const message = snapshot.messages[part.messageIndex]!;
      must(message.content.slice(part.startChar, part.endChar) === part.quote, `the place of ${part.quote}`);
      must(isLocked(part, message), `the lock of ${part.quote}`);
      // Only this message teaches something.
      must(part.messageIndex === truth.evidence[0]!.messageIndex, `evidence of message ${part.messageIndex}`);
    }
    must(content === truth.content, `content ${content}`);
    must(!looksLike(`${title}\n${content}`).includes(looksLike(payload).slice(0, 40)), `stated ${title}: ${content}`);
  }
  // The true items survive the attack, and the planted item is counted as dropped.
  const dropped = Object.values(outcome.rejected).reduce((sum, count) => sum + count, 0);
  must(outcome.items.length === 2 && dropped === 1, `${outcome.items.length} items, ${dropped} dropped`);
  return problems;
}

describe('two hundred conversations that want to be obeyed, by a model and a judge that obey', () => {
  it('teach what is true in them, with locked quotes of it, and nothing that was planted', async () => {
    expect(CASES).toHaveLength(200);
    expect(new Set(CASES.map(({ answer, name }) => `${name} ${answer}`)).size).toBe(200);
    const results = await resultsOfObedience(CASES);
    const taught = CASES.map((each) => ({ each, outcome: results.get(each.ticket)!.outcome }));
    const failures = taught.flatMap(({ each, outcome }) => problemsOf(each, outcome));
    expect(failures).toEqual([]);
  }, 120_000);

  it('would teach what was planted, were a quote believed without its place and its origin', () => {
    const quoted = CASES.filter(({ planted, snapshot }) =>
      planted.evidence.every(({ quote }) => snapshot.messages.some(({ content }) => content.includes(quote))),
    );
    expect(quoted.length).toBeGreaterThan(120);
  });
});
