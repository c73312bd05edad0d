import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDecision, CollectionObjective, Dataset, Example, LearningGoal } from '@clew/contracts';
import { createProjectApi, readSamples, seed, type ProjectApi } from '@clew/seed';
import { withTemporaryStack } from '@clew/stack';
import { createEvaluatedProject } from '../findings/evaluated-project.ts';
import { sendTo } from '../findings/send-conversations.ts';
import { provide, type Reader } from '../knowledge/backfilled-goal.ts';
import { labelledDomains } from '../labelled/domains.ts';

export interface SynthesisEvaluation extends Reader {
  /** Conversations that are sent of each domain. */
  perDomain: number;
  /** Responses that the model is asked for, by objective. */
  limit: number;
}

const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000' };
const POLL_MS = 1_000;
/** A person who plays the model takes hours. */
const ENDS_WITHIN_MS = 8 * 3_600_000;
const CATCH_UP = { days: 90, conversations: 10_000 };
const OBJECTIVES: readonly CollectionObjective[] = [
  'correct_failed_conversations',
  'learn_from_user_corrections',
  'teach_project_knowledge',
];

/**
 * Has a model write the responses that Datasets lack, through the whole system, from conversations whose labels are left
 * out, from the samples, and from statements of the samples as Knowledge. Counts what was kept, and what was refused by reason.
 */
export async function evaluateSyntheses(dataFolder: string, options: SynthesisEvaluation): Promise<object> {
  const conversations = labelledDomains(dataFolder).flatMap((domain) =>
    domain.conversations.slice(0, options.perDomain),
  );
  return await withTemporaryStack(SETTINGS, async ({ stackFile }) => {
    const project = await createEvaluatedProject(stackFile, 'syntheses');
    const { id: projectId, apiKey } = project;
    const signal = AbortSignal.timeout(ENDS_WITHIN_MS);
    const api = createProjectApi({ gatewayUrl: stackFile.gatewayUrl, apiKey, projectId, signal });
    await provide(api, options);
    const samples = readSamples();
    await seed({ gatewayUrl: stackFile.gatewayUrl, apiKey, samples, nowMs: Date.now() });
    await project.untilAnalysed(samples.length);
    await sendTo(stackFile, project, conversations, 'genai');
    await project.untilAnalysed(samples.length + conversations.length);
    await writeItems(api, options.limit);
    const figures = await Promise.all(
      OBJECTIVES.map(async (objective) => [objective, await synthesized(api, objective, options)] as const),
    );
    return { model: options.model, conversations: conversations.length, ...Object.fromEntries(figures) };
  });
}

/** Writes statements of the samples as Knowledge. */
async function writeItems(api: ProjectApi, count: number): Promise<void> {
  const goal = { name: 'Facts', instruction: 'What lasts' };
  const { id: goalId } = await api.call<LearningGoal>('/knowledge/goals', { method: 'POST', body: goal });
  const taught = readSamples().flatMap(({ conversation }) => conversation.teaches.flatMap(({ said }) => said));
  const statements = [...new Set(taught.map(({ words }) => words))];
  for (const words of statements.slice(0, count)) {
    const body = { goalId, title: words.slice(0, 80), content: words, kind: 'fact' };
    await api.call('/knowledge/items', { method: 'POST', body });
  }
}

async function synthesized(
  api: ProjectApi,
  collectionObjective: CollectionObjective,
  { model, limit }: SynthesisEvaluation,
): Promise<object> {
  const body = {
    ...{ name: collectionObjective, schema: { type: 'chat', version: 1 }, collectionObjective },
    ...{ collectionModel: model, dailySyntheses: limit, collectionCatchUp: CATCH_UP },
  };
  const { id } = await api.call<Dataset>('/datasets', { method: 'POST', body });
  const decisions = await untilWritten(api, `/datasets/${id}/collection/decisions?limit=1000`, limit);
  const { examples } = await api.call<{ examples: Example[] }>(`/datasets/${id}/examples?limit=100`);
  for (const { source, tags, payload } of examples)
    process.stderr.write(`${collectionObjective}: ${JSON.stringify({ source, tags, payload })}\n`);
  const written = decisions.filter((decision) => decision.model !== null);
  return {
    looked: decisions.length,
    found: decisions.filter(({ outcome, model: by }) => by !== null || outcome === 'to_synthesize').length,
    asked: written.length,
    kept: written.filter(({ outcome }) => outcome === 'collected').length,
    refused: counted(written.flatMap(({ reason }) => reason ?? [])),
    notFound: counted(decisions.flatMap(({ model: by, reason }) => (by === null && reason !== null ? reason : []))),
  };
}

/** Resolves with the decisions once the model has written, or refused, all that it may. */
async function untilWritten(api: ProjectApi, path: string, limit: number): Promise<CollectionDecision[]> {
  for (let quiet = 0; ;) {
    const { decisions } = await api.call<{ decisions: CollectionDecision[] }>(path);
    const isOver = decisions.filter(({ model }) => model !== null).length >= limit;
    const isIdle = decisions.length > 0 && !decisions.some(({ outcome }) => outcome === 'to_synthesize');
    quiet = isOver || isIdle ? quiet + 1 : 0;
    // Looks of a catch-up come in pages.
    if (quiet > 20) return decisions;
    await sleep(POLL_MS, undefined, { signal: api.signal });
  }
}

function counted(reasons: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(reasons, (reason) => reason)].map(([reason, some]) => [reason, some.length]),
  );
}
