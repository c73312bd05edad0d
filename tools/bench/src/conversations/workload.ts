const HOUR_MS = 3_600_000;
const DAYS = 30;
const DAY_MS = 24 * HOUR_MS;
/** Beginning of the first of the last days: what is older than its retention would be removed while it is measured. */
const STARTED_AT = (Math.floor(Date.now() / DAY_MS) - (DAYS - 1)) * DAY_MS;

/** Queries of lists and counts: each filter, and combinations that a page is likely to make. */
export const LIST_QUERIES: readonly string[] = [
  ...['', 'hasError=true', 'hasFinding=true', 'state=active', 'state=ready&hasError=false', 'agent=agent1'],
  ...['model=model1&hasFinding=true', 'userId=user77', 'tool=tool3', 'minMessages=30', 'minMessages=500'],
  ...[
    'score=helpful:failure',
    'score=helpful:success&hasError=true',
    'q=word7',
    'q=word7+word900',
    'q=hello&agent=agent1',
    'q=hello&hasError=true',
    'q=word7&hasFinding=true',
    'q=hello&state=active',
  ],
  ...['agent=agent1&tool=tool2', 'agent=agent2&userId=user5&hasError=true', 'tool=tool1&minMessages=30&q=word3'],
  `startedAfter=${STARTED_AT + 5 * DAY_MS}&startedBefore=${STARTED_AT + 6 * DAY_MS}&hasError=true`,
];

/** A month by hour and by day, of all, by agent and by model. */
export const SERIES_QUERIES: readonly string[] = ['', '&by=agent', '&by=model'].flatMap((by) =>
  [HOUR_MS, DAY_MS].map(
    (intervalMs) => `startMs=${STARTED_AT}&endMs=${STARTED_AT + DAYS * DAY_MS}&intervalMs=${intervalMs}${by}`,
  ),
);

const pick = (index: number, salt: number, count: number) =>
  ((Math.imul(index ^ (salt * 0x9e3779b9), 0x2c1b3c6d) >>> 8) ^ index) % count;

/** Documents of conversations as the warehouse stores them, with what its lists find them by. */
export function* conversationDocuments(projectId: string, count: number): Generator<object, undefined> {
  for (let index = 0; index < count; index += 1) {
    const startedAt = STARTED_AT + ((index * 7_919) % (DAYS * DAY_MS));
    const agents = [`agent${pick(index, 1, 8)}`];
    const models = [`model${pick(index, 2, 4)}`];
    const userId = `user${pick(index, 3, 5_000)}`;
    const messageCount = 1 + Math.floor(40 / (1 + pick(index, 4, 40)));
    const sizes = [2, 4, 8, 16, 32].filter((size) => size <= messageCount).map((size) => `messages:${size}`);
    const words = Array.from({ length: 6 }, (_, word) => `word${pick(index, 10 + word, 2_000)}`);
    const scores =
      index % 5 === 0 ? ['score:helpful', `${pick(index, 5, 20) === 0 ? 'failure' : 'success'}:helpful`] : [];
    yield {
      _id: `${projectId}:c${index}`,
      ...{ projectId, conversationId: `c${index}`, implicit: false, listed: true, startedAt },
      ...{ lastActivityAt: startedAt, receivedAt: startedAt, touches: 1, assembledTouches: 1, version: 1 },
      ...{ dueAt: null, leaseUntil: null, claim: null, attempts: 0, givenUpAt: null, givenUpReason: null },
      ...{ spanCount: 3, messageCount, errorCount: 0, agents, models, userId, preview: 'hello', traceIds: [] },
      ...{ usage: { inputTokens: 100, outputTokens: 20 }, terms: ['hello', ...new Set(words)], revision: 1 },
      ...{ snapshotId: null, contentHash: null, messagesHash: null, evidenceHash: null, readyHash: null },
      ...{ ready: null, readyThroughMs: null, findingCount: 0, findingSequence: 0, latency: {}, scored: [] },
      ...{
        hasFinding: pick(index, 6, 20) === 0,
        hasError: pick(index, 7, 30) === 0,
        isReady: pick(index, 8, 500) !== 0,
      },
      facets: [
        ...['*', `agent:${agents[0]}`, `model:${models[0]}`, `user:${userId}`, `tool:tool${pick(index, 9, 12)}`],
        ...[...sizes, ...scores],
      ],
    };
  }
}

/** Hourly figures of as many conversations: rows of past days, and those of the last day, which are in several parts. */
export function figureDocuments(projectId: string, count: number): { days: object[]; hours: object[] } {
  const each = Math.ceil(count / (DAYS * 24));
  const figures = {
    ...{ conversations: each, flagged: 3, failed: 2, inputTokens: each * 100, outputTokens: each * 20 },
    latency: Object.fromEntries(Array.from({ length: 40 }, (_, bucket) => [bucket + 20, each])),
  };
  const series = [
    ['all', 'all'],
    ...Array.from({ length: 8 }, (_, agent) => ['agent', `agent:agent${agent}`]),
    ...Array.from({ length: 4 }, (_, model) => ['model', `model:model${model}`]),
  ] as const;
  const startOf = (day: number, hour = 0) => STARTED_AT + (24 * day + hour) * HOUR_MS;
  const hoursOf = (day: number) => Array.from({ length: 24 }, (_, hour) => startOf(day, hour));
  const days = Array.from({ length: DAYS - 1 }, (_, day) =>
    series.map(([by = 'all', key = 'all']) => ({
      ...{ _id: `${projectId}:${startOf(day)}:${key}`, projectId, series: key, by, day: startOf(day) },
      hours: JSON.stringify(Object.fromEntries(hoursOf(day).map((hour) => [hour, figures]))),
    })),
  );
  const hours = hoursOf(DAYS - 1).flatMap((hour) =>
    [1, 2, 3, 4].flatMap((lane) =>
      series.map(([by = 'all', key = 'all']) => ({
        ...{ _id: `${projectId}:${hour}:${lane}:${key}`, projectId, series: key, by, hour, lane, ...figures },
      })),
    ),
  );
  return { days: days.flat(), hours };
}
