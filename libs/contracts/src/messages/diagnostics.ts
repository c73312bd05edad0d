import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { Detection, Offered, RuleConfiguration, Severity } from '../diagnostics/detection.ts';
import { MAX_SUSPECTS, Suspect } from '../diagnostics/suspect.ts';
import { CheckedExpectation, MAX_ACTIVE_EXPECTATIONS } from '../diagnostics/expectations.ts';
import { MAX_SNAPSHOTS_OF_READ } from '../telemetry/snapshots.ts';
import { MAX_WATCHED_PROBLEMS, WatchedProblem } from './collection.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of snapshots in one command: the number read in one answer. */
export const MAX_ANALYSED_SNAPSHOTS = MAX_SNAPSHOTS_OF_READ;

/** Rule with one revision of its configuration; the first revision has no name. */
export const RuleRevision = z.object({ ruleId: z.string(), revision: z.string().optional() });
export type RuleRevision = z.infer<typeof RuleRevision>;

/** Rule as a worker evaluates it. */
export const RequestedRule = RuleRevision.extend({
  configuration: RuleConfiguration,
  expectations: z
    .array(CheckedExpectation)
    .max(MAX_ACTIVE_EXPECTATIONS)
    .optional()
    .meta({ description: 'What expectation_broken checks; absent where the project expects nothing' }),
});
export type RequestedRule = z.infer<typeof RequestedRule>;

/** Asks a worker to evaluate Rules on snapshots: one Analysis Run for each Rule and snapshot. */
export const analysisRequested = defineMessage({
  kind: 'command',
  type: 'diagnostics.analysis.requested',
  version: 1,
  // A worker splits a command that crashed another worker, so that each snapshot comes alone.
  publishedBy: ['diagnostics-svc', 'jobs-worker'],
  data: z.object({
    rules: z.array(RequestedRule).min(1),
    snapshots: z
      .array(z.object({ conversationId: z.string(), snapshotId: z.string() }))
      .min(1)
      .max(MAX_ANALYSED_SNAPSHOTS),
  }),
});

const EvaluatedSnapshot = z.object({
  revision: z.int().min(1),
  scope: z.enum(['conversation', 'prefix', 'traces']),
  startedAt: EpochMs,
  throughMs: EpochMs,
  expiredThrough: z.int().min(0).optional().meta({
    description: 'The index of the last message whose words retention has taken; absent where all have theirs',
  }),
  offered: z.int().min(0).optional().meta({
    description: 'Who spoke and what was called in it, by its place in `offered`; absent where that had no room',
  }),
});

/**
 * Diagnosis of a conversation: how likely it failed, and the steps where the trouble may have begun, given the
 * Detections of the command's Rules.
 */
const Diagnosis = z.object({
  score: z.number().min(0).max(1),
  suspects: z.array(Suspect).max(MAX_SUSPECTS),
  judged: z
    .object({ failed: z.boolean(), score: z.number().min(0).max(1), startedAt: EpochMs })
    .optional()
    .meta({ description: 'Outcome by scores of people or evaluators, and the score without regard to them' }),
});
export type Diagnosis = z.infer<typeof Diagnosis>;
/** Maximum number of prompts in one result; omitted ones come again with other conversations. */
export const MAX_SHOWN_PROMPTS = 50;
/** Maximum number of tools that count for a prompt. */
export const MAX_PROMPT_TOOLS = 200;

/** System prompt found in conversations, identified by the hash that masks its variable parts. */
export const ShownPrompt = z.object({
  promptHash: z.string(),
  agent: z.string().optional().meta({ description: 'Whose prompt it is, where several agents speak' }),
  tools: z.array(z.string()).max(MAX_PROMPT_TOOLS).meta({ description: 'That were offered, or called' }),
  snapshotId: z.string().meta({ description: 'One of the snapshots that show it' }),
});
export type ShownPrompt = z.infer<typeof ShownPrompt>;

/** Reasons why a conversation shows no success. */
export const MISSING_SUCCESS = ['failing_score', 'no_success_signal', 'no_answer'] as const;
const MissingSuccess = z.enum(MISSING_SUCCESS).optional().meta({
  description: 'Why the conversation shows no success; absent where it shows one, or nobody has looked',
});

const OpenProblems = z.array(WatchedProblem).min(1).max(MAX_WATCHED_PROBLEMS).optional().meta({
  description:
    'Problems of medium severity or above that stand against the conversation; absent where there are none, or nobody has looked',
});

const UnfinishedRule = z.object({ ruleId: z.string(), reason: z.string() });

/**
 * Reports the Detections of the Rules in conversations. A Rule without an entry was evaluated and found nothing, so
 * that a clean result costs no more than the names.
 */
export const analysisCompleted = defineMessage({
  kind: 'result',
  type: 'diagnostics.analysis.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    rules: z.array(RuleRevision).min(1),
    prompts: z.array(ShownPrompt).max(MAX_SHOWN_PROMPTS).optional(),
    offered: z.array(Offered).optional().meta({ description: 'Each once: most conversations of a project are alike' }),
    conversations: z
      .array(
        z.object({
          conversationId: z.string(),
          snapshotId: z.string(),
          snapshot: EvaluatedSnapshot.nullable().meta({ description: 'null: it no longer exists, no Rule was run' }),
          ruleIds: z
            .array(z.string())
            .optional()
            .meta({ description: 'The Rules that this is about, where the others come in another message' }),
          diagnosis: Diagnosis.optional().meta({ description: 'Of whole conversations, in one of their messages' }),
          missingSuccess: MissingSuccess,
          detections: z.array(Detection).optional(),
          failed: z.array(UnfinishedRule).optional(),
          skipped: z.array(UnfinishedRule).optional(),
        }),
      )
      .min(1),
  }),
});

/**
 * Reports that all Rules of a snapshot have ended, or will not be run (`analysed` is false); sent again when its
 * content changes. Scores and severities are those of the Detections in this snapshot, not of their Findings.
 */
export const snapshotAnalysed = defineMessage({
  kind: 'event',
  type: 'diagnostics.snapshot.analysed',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  heardBy: ['gateway'],
  data: z.object({
    snapshots: z
      .array(
        z.object({
          conversationId: z.string(),
          snapshotId: z.string(),
          analysed: z.boolean(),
          score: z.number().min(0).max(1).nullable().meta({ description: 'The highest; null where nothing was found' }),
          severity: Severity.nullable().meta({ description: 'The worst' }),
          findingIds: z.array(z.string()),
          unknownRules: z
            .int()
            .min(0)
            .meta({ description: 'Rules that failed or were skipped: what they would have found is not known' }),
          missingSuccess: MissingSuccess,
          openProblems: OpenProblems,
        }),
      )
      .min(1)
      .max(MAX_ANALYSED_SNAPSHOTS),
  }),
});

export const ConversationFindings = z.object({
  conversationId: z.string(),
  findingCount: z.int().min(0),
  sequence: z.int().min(0).meta({ description: 'Of two counts of a conversation the one with the higher holds' }),
});
export type ConversationFindings = z.infer<typeof ConversationFindings>;

/** Maximum number of conversations that one message counts. */
export const MAX_COUNTED_CONVERSATIONS = 100;

/** Reports how many Findings conversations have now; the warehouse keeps the counts for its `hasFinding` filter. */
export const conversationFindingsChanged = defineMessage({
  kind: 'event',
  type: 'diagnostics.conversation-findings.changed',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  heardBy: ['gateway'],
  data: z.object({ conversations: z.array(ConversationFindings).min(1).max(MAX_COUNTED_CONVERSATIONS) }),
});
