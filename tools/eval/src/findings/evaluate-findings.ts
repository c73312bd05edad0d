import type { Finding } from '@clew/contracts';
import { exportSpans } from '@clew/seed';
import { withTemporaryStack, type StackFile } from '@clew/stack';
import { DIALECTS, encodeConversation, type Dialect } from '@clew/testing/dialects';
import { sameMessages } from './compare-messages.ts';
import { createEvaluatedProject, type EvaluatedProject } from './evaluated-project.ts';
import { readTauBench, readWhoAndWhen, type LabelledConversation } from './labelled-conversations.ts';

const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000' };
const HOUR_MS = 3_600_000;
/** A Finding that points this near to the labelled step counts as a hit. */
const STEP_TOLERANCE = 1;

/**
 * Sends the labelled conversations as GenAI spans with the official exporter, and tau-bench in every other dialect too;
 * checks what became of them, and how what the Rules found agrees with the labels.
 */
export async function evaluateFindings(dataFolder: string): Promise<object> {
  const tauBench = readTauBench(dataFolder);
  const whoAndWhen = readWhoAndWhen(dataFolder);
  if (tauBench.length === 0) throw new Error(`${dataFolder} holds no tau-bench-airline/trajectories.jsonl`);
  return await withTemporaryStack(SETTINGS, async ({ stackFile }) => {
    const dialects: Record<string, DialectFigures> = {};
    const hashes = new Map<string, Set<string>>();
    let tauBenchFigures = {};
    for (const dialect of DIALECTS) {
      const project = await send(stackFile, tauBench, dialect);
      dialects[dialect] = await checkMessages(project, tauBench, hashes);
      if (dialect === 'genai') tauBenchFigures = agreement(tauBench, await project.findings());
    }
    const failures = await send(stackFile, whoAndWhen, 'genai');
    const sameHash = [...hashes.values()].filter((ofOne) => ofOne.size === 1).length;
    return {
      conversations: tauBench.length,
      sameContentHashInAllDialects: sameHash,
      dialects,
      tauBench: tauBenchFigures,
      whoAndWhen: stepAgreement(whoAndWhen, await failures.findings()),
    };
  });
}

async function send(
  stack: StackFile,
  conversations: readonly LabelledConversation[],
  dialect: Dialect,
): Promise<EvaluatedProject> {
  const project = await createEvaluatedProject(stack, dialect);
  const spans = conversations.flatMap(
    ({ script }) =>
      encodeConversation(script, {
        dialect,
        startMs: Date.now() - HOUR_MS,
        idSeed: `${dialect}-${script.conversationId}`,
      }).spans,
  );
  await exportSpans({ gatewayUrl: stack.gatewayUrl, apiKey: project.apiKey, spans });
  await project.untilAnalysed(conversations.length);
  process.stderr.write(`${dialect}: ${conversations.length} conversations, ${spans.length} spans\n`);
  return project;
}

interface DialectFigures {
  /** Conversations whose messages are those that were sent: all of them, once, in order. */
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

/** How often Rules fire in conversations that failed and in those that did not. */
function agreement(conversations: readonly LabelledConversation[], findings: readonly Finding[]) {
  const flagged = new Set(findings.flatMap(({ evidenceWindow }) => evidenceWindow.conversationIds));
  const shareFlagged = (succeeded: boolean) => {
    const group = conversations.filter((one) => one.succeeded === succeeded);
    const hit = group.filter(({ script }) => flagged.has(script.conversationId)).length;
    return { conversations: group.length, flagged: hit, share: rounded(hit / group.length) };
  };
  return {
    findings: findings.length,
    byRule: countByRule(findings),
    failed: shareFlagged(false),
    succeeded: shareFlagged(true),
  };
}

function stepAgreement(conversations: readonly LabelledConversation[], findings: readonly Finding[]) {
  const steps = new Map<string, number[]>();
  for (const { diagnosticAnchor } of findings) {
    const known = steps.get(diagnosticAnchor.conversationId) ?? [];
    steps.set(diagnosticAnchor.conversationId, [...known, diagnosticAnchor.stepIndex]);
  }
  const flagged = new Set(findings.flatMap(({ evidenceWindow }) => evidenceWindow.conversationIds));
  const hits = conversations.filter(({ script, mistakeStep }) =>
    steps.get(script.conversationId)?.some((step) => Math.abs(step - Number(mistakeStep)) <= STEP_TOLERANCE),
  );
  return {
    conversations: conversations.length,
    findings: findings.length,
    byRule: countByRule(findings),
    flagged: conversations.filter(({ script }) => flagged.has(script.conversationId)).length,
    anchored: steps.size,
    anchoredAtTheMistake: hits.length,
  };
}

function countByRule(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { metadata, occurrenceCount } of findings) {
    const { ruleKey } = metadata.diagnosticRule;
    counts[ruleKey] = (counts[ruleKey] ?? 0) + occurrenceCount;
  }
  return counts;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
