import { withTemporaryStack, type StackFile } from '@clew/stack';
import { DIALECTS, type Dialect } from '@clew/testing/dialects';
import { domainFigures, type JudgedDomain } from '../domains/domain-figures.ts';
import { causeFigures, outcomeFigures, type Judged } from '../figures/judged.ts';
import { sameMessages } from './compare-messages.ts';
import { createEvaluatedProject, type EvaluatedProject } from './evaluated-project.ts';
import { sendTo } from './send-conversations.ts';
import { readDomains, type Domain } from '../labelled/domains.ts';
import { readTauBench, readWhoAndWhen, type LabelledConversation } from '../labelled/labelled-conversations.ts';
import { letModelJudge, untilJudged, type JudgeFigures } from './with-model.ts';

const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000' };

/**
 * Sends the labelled conversations as GenAI spans with the official exporter, and tau-bench in all other dialects too.
 * Then it compares the stored messages with the sent ones, and the diagnoses of the routes with the labels.
 */
export async function evaluateFindings(dataFolder: string): Promise<object> {
  const domains = readDomains(dataFolder);
  if (domains.length > 0) return await evaluateDomains(domains);
  const tauBench = readTauBench(dataFolder);
  const whoAndWhen = readWhoAndWhen(dataFolder);
  if (tauBench.length === 0)
    throw new Error(`${dataFolder} holds neither tau-bench-airline/trajectories.jsonl nor a file of a domain`);
  return await withTemporaryStack(SETTINGS, async ({ stackFile }) => {
    const dialects: Record<string, DialectFigures> = {};
    const hashes = new Map<string, Set<string>>();
    let tauBenchFigures = {};
    for (const dialect of DIALECTS) {
      const project = await send(stackFile, tauBench, dialect);
      dialects[dialect] = await checkMessages(project, tauBench, hashes);
      if (dialect === 'genai') tauBenchFigures = outcomeFigures(await judge(project, tauBench));
    }
    const failures = await send(stackFile, whoAndWhen, 'genai');
    const sameHash = [...hashes.values()].filter((ofOne) => ofOne.size === 1).length;
    return {
      conversations: tauBench.length,
      sameContentHashInAllDialects: sameHash,
      dialects,
      tauBench: tauBenchFigures,
      whoAndWhen: causeFigures(await judge(failures, whoAndWhen)),
    };
  });
}

/** Same figures with a model that judges the Rules' Findings, together with the figures of the model. */
export async function evaluateWithModel(dataFolder: string, model: string): Promise<object> {
  const domains = readDomains(dataFolder);
  if (domains.length > 0) return await evaluateDomains(domains, model);
  return await withTemporaryStack(SETTINGS, async ({ stackFile }) => {
    const judgedBy = async (name: string, conversations: readonly LabelledConversation[]) => {
      const project = await createEvaluatedProject(stackFile, name);
      await letModelJudge(stackFile, project, model);
      await sendTo(stackFile, project, conversations, 'genai');
      const said = await untilJudged(stackFile, project.id, model);
      return { said, judged: await judge(project, conversations) };
    };
    const outcomes = await judgedBy('tau-bench', readTauBench(dataFolder));
    const causes = await judgedBy('who-and-when', readWhoAndWhen(dataFolder));
    return {
      tauBench: { model: outcomes.said, ...outcomeFigures(outcomes.judged) },
      whoAndWhen: { model: causes.said, ...causeFigures(causes.judged) },
    };
  });
}

/** Sends each domain to a project of its own, whose Findings a model judges if one is given. */
async function evaluateDomains(domains: readonly Domain[], model?: string): Promise<object> {
  return await withTemporaryStack(SETTINGS, async ({ stackFile }) => {
    const judged: JudgedDomain[] = [];
    const said: Record<string, JudgeFigures> = {};
    for (const { name, labels, conversations } of domains) {
      const project = await createEvaluatedProject(stackFile, name);
      if (model !== undefined) await letModelJudge(stackFile, project, model);
      await sendTo(stackFile, project, conversations, 'genai');
      if (model !== undefined) said[name] = await untilJudged(stackFile, project.id, model);
      judged.push({ name, labels, judged: await judge(project, conversations) });
    }
    return { ...(model === undefined ? {} : { models: said }), ...domainFigures(judged) };
  });
}

async function send(
  stack: StackFile,
  conversations: readonly LabelledConversation[],
  dialect: Dialect,
): Promise<EvaluatedProject> {
  const project = await createEvaluatedProject(stack, dialect);
  await sendTo(stack, project, conversations, dialect);
  return project;
}

interface DialectFigures {
  /** Conversations whose messages equal the sent ones: all of them, each once, in order. */
  exact: number;
}

async function checkMessages(
  project: EvaluatedProject,
  conversations: readonly LabelledConversation[],
  hashes: Map<string, Set<string>>,
): Promise<DialectFigures> {
  let exact = 0;
  for (const { script } of conversations) {
    const { messages, contentHash } = await project.conversation(script.conversationId);
    if (sameMessages(script.messages, messages)) exact += 1;
    const known = hashes.get(script.conversationId) ?? new Set();
    hashes.set(script.conversationId, known.add(String(contentHash)));
  }
  return { exact };
}

/** Diagnoses of the conversations of a project, read from the routes. */
async function judge(
  project: EvaluatedProject,
  conversations: readonly LabelledConversation[],
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const labelled of conversations) {
    const { conversationId } = labelled.script;
    const { score, symptoms, suspects } = await project.diagnosis(conversationId);
    const { messages } = await project.conversation(conversationId);
    if (score === null) throw new Error(`${conversationId} has no score`);
    judged.push({ labelled, messages, score, symptoms, suspects });
  }
  return judged;
}
