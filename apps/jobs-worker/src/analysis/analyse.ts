import { setImmediate as nextTurn } from 'node:timers/promises';
import { analysisCompleted, analysisRequested, readSnapshots, type ConversationSnapshot } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import { isOpenProblem, type RuleDefinition } from '@clew/rules';
import { createPartsHandler } from '../command-parts.ts';
import { partsEnvelope, requestIdOf } from '../envelopes.ts';
import type { RecentSuccesses } from '../recent-successes.ts';
import type { AnalysisCommand } from './command.ts';
import { createEvaluate, type ConversationResult, type Evaluated } from './evaluate.ts';
import { offeredOnce } from './offered-once.ts';
import { ResultMessages, resultParts } from './result-parts.ts';
import { createShownPrompts, type ShownPrompts } from './shown-prompts.ts';

export interface AnalyseDependencies {
  warehouse: ServiceClient;
  publisher: Publisher;
  rules: readonly RuleDefinition[];
  recent: Pick<RecentSuccesses, 'keep'>;
  clock: Clock;
}

type AnalyseContext = Pick<MessageContext, 'attempt' | 'unansweredDeliveries' | 'signal' | 'logger' | 'heartbeat'>;

/** Longest time in milliseconds that Rules compute without a pause, so that heartbeats and probes get their turn. */
const MAX_TURN_MS = 20;

/**
 * Evaluates the Rules of a command on its snapshots, and publishes the results to the owner. A suspect command is split
 * into one per snapshot.
 */
export function createAnalyse({ warehouse, publisher, rules, recent, clock }: AnalyseDependencies) {
  const evaluate = createEvaluate(rules);

  async function split(command: AnalysisCommand): Promise<void> {
    for (const snapshot of command.data.snapshots) {
      await publisher.publish(analysisRequested, {
        ...partsEnvelope(command, analysisRequested, [snapshot.snapshotId], clock.now()),
        data: { ...command.data, snapshots: [snapshot] },
      });
    }
  }

  async function send(
    command: AnalysisCommand,
    conversations: ConversationResult[],
    shownPrompts: ShownPrompts,
  ): Promise<void> {
    if (conversations.length === 0) return;
    const prompts = shownPrompts.take();
    const parts = conversations.map(({ snapshotId, ruleIds = [] }) => [snapshotId, ...ruleIds].join(' '));
    await publisher.publish(analysisCompleted, {
      ...partsEnvelope(command, analysisCompleted, parts, clock.now()),
      data: {
        rules: command.data.rules.map(({ configuration: _, expectations: _expected, ...rule }) => rule),
        ...(prompts.length === 0 ? {} : { prompts }),
        ...offeredOnce(conversations),
      },
    });
  }

  /** Publishes the results so far even if a later snapshot cannot be read. */
  async function evaluateAll(command: AnalysisCommand, { signal, logger, heartbeat }: AnalyseContext): Promise<void> {
    const { rules: wanted } = command.data;
    const ruleIds = wanted.map(({ ruleId }) => ruleId);
    const messages = new ResultMessages();
    const prompts = createShownPrompts();
    const pause = createPause();
    const tell = async (result: ConversationResult) => {
      for (const part of resultParts(result, ruleIds)) await send(command, messages.add(part), prompts);
    };
    const extraction = readAll(warehouse, command, signal);
    try {
      for await (const snapshot of extraction.snapshots) {
        prompts.add(snapshot);
        const evaluated = await evaluate(wanted, snapshot, { logger, pause });
        keepSuccess(recent, snapshot, evaluated);
        await tell(evaluated.result);
        heartbeat();
        await nextTurn();
      }
      for (const missing of extraction.missing()) await tell({ ...missing, snapshot: null });
    } finally {
      await send(command, messages.rest(), prompts);
    }
  }

  return createPartsHandler({
    sizeOf: ({ data }: AnalysisCommand) => data.snapshots.length,
    split,
    work: evaluateAll,
  });
}

/** Keeps a snapshot that a Dataset will want to look at: it shows a success, and no problem against it. */
function keepSuccess(
  recent: AnalyseDependencies['recent'],
  snapshot: ConversationSnapshot,
  { result, success }: Evaluated,
): void {
  if (success === undefined || 'missing' in success) return;
  const hasProblem = result.detections?.some(({ severity }) => isOpenProblem({ severity, reviewStatus: 'unreviewed' }));
  if (hasProblem !== true) recent.keep({ snapshot, signal: success.signal });
}

/** Streams the snapshots of a command; once all have arrived, `missing` lists those that no longer exist. */
function readAll(warehouse: ServiceClient, { projectId, requestId, data }: AnalysisCommand, signal: AbortSignal) {
  const left = new Map(data.snapshots.map((snapshot) => [snapshot.snapshotId, snapshot]));
  let refused: Error | undefined;
  const lines = warehouse.lines(
    readSnapshots,
    {
      params: { projectId },
      body: { snapshotIds: [...left.keys()] },
      ...requestIdOf({ requestId }),
    },
    {
      signal,
      onRefused(problem) {
        refused = problem;
      },
    },
  );
  async function* snapshots(): AsyncGenerator<ConversationSnapshot> {
    for await (const snapshot of lines) {
      left.delete(snapshot.snapshotId);
      yield snapshot;
    }
  }
  return {
    snapshots: snapshots(),
    /** Snapshots that retention may have removed since; that is no failure of their runs. */
    missing() {
      // A refused line does not say which snapshot it was, so none can be called missing.
      if (refused !== undefined) throw refused;
      return left.values();
    },
  };
}

function createPause() {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < MAX_TURN_MS) return;
    await nextTurn();
    sinceMs = performance.now();
  };
}
