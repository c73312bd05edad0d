import { setTimeout as sleep } from 'node:timers/promises';
import type { Rule } from '@clew/contracts';
import { bringUp, createProjectApi } from '@clew/seed';
import type { StackFile } from '@clew/stack';
import { MongoClient } from 'mongodb';
import type { EvaluatedProject } from './evaluated-project.ts';

const POLL_MS = 1_000;
/** A small model on a small machine takes seconds per call. */
const JUDGED_WITHIN_MS = 3 * 3_600_000;
const CALLS_A_DAY = 1_000_000;
/** Prefix of the names of local models, which the Model Runtime serves. */
const LOCAL = 'self/';

/** Lets a model judge future Findings of a project; a local model is brought up first. */
export async function letModelJudge(stack: StackFile, project: EvaluatedProject, model: string): Promise<void> {
  const signal = AbortSignal.timeout(JUDGED_WITHIN_MS);
  const { id: projectId, apiKey } = project;
  const api = createProjectApi({ gatewayUrl: stack.gatewayUrl, apiKey, projectId, signal });
  const tell = (line: string) => void process.stderr.write(`${line}\n`);
  if (model.startsWith(LOCAL)) await bringUp(api, model.slice(LOCAL.length), { tell });
  await api.call('/diagnostics/settings', { method: 'PATCH', body: { dailyAdjudications: CALLS_A_DAY } });
  const { rules } = await api.call<{ rules: Rule[] }>('/diagnostics/rules');
  const configuration = { adjudicationMode: 'auto', adjudicationModel: model };
  for (const { ruleId } of rules) {
    await api.call(`/diagnostics/rules/${ruleId}`, { method: 'PATCH', body: { configuration } });
  }
}

export interface JudgeFigures {
  model: string;
  calls: number;
  tokens: number;
  confirmed: number;
  refuted: number;
  none: number;
}

/**
 * Waits until no judgement is pending, and returns the model's figures. It reads the database, because no route tells
 * them for a whole project.
 */
export async function untilJudged(stack: StackFile, projectId: string, model: string): Promise<JudgeFigures> {
  const client = await MongoClient.connect(stack.mongoUrl);
  const database = client.db('clew_diagnostics');
  try {
    const deadlineMs = Date.now() + JUDGED_WITHIN_MS;
    for (;;) {
      const waiting = await database.collection('adjudications').countDocuments({ projectId });
      if (waiting === 0) break;
      if (Date.now() > deadlineMs) throw new Error(`${waiting} of what Rules found still wait for ${model}`);
      await sleep(POLL_MS);
    }
    const figures: JudgeFigures = { model, calls: 0, tokens: 0, confirmed: 0, refuted: 0, none: 0 };
    const verdicts = database.collection<StoredVerdict>('verdicts').find({ projectId });
    for await (const { calls, tokens, verdicts: said } of verdicts) {
      figures.calls += calls;
      figures.tokens += tokens;
      for (const { verdict } of said) figures[verdict] += 1;
    }
    return figures;
  } finally {
    await client.close();
  }
}

interface StoredVerdict {
  projectId: string;
  calls: number;
  tokens: number;
  verdicts: readonly { verdict: 'confirmed' | 'refuted' | 'none' }[];
}
