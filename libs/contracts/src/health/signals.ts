import { z } from 'zod';
import { EpochMs, ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

/** Figures of a queue of pending work, as its owner sees it. */
export const SignalFigures = z.object({
  backlog: z.int().min(0).meta({ description: 'What waits; counting may end at 10,000' }),
  oldestAgeMs: z.int().min(0).meta({ description: 'For how long the first of it has waited' }),
  givenUp: z.int().min(0).meta({ description: 'What was given up, and waits for a person' }),
});
export type SignalFigures = z.infer<typeof SignalFigures>;

const RunFigures = SignalFigures.extend({
  lastRunAt: EpochMs.nullable().meta({ description: 'When a run last came to an end; null before the first time' }),
});

const RetentionFigures = z.object({ telemetry: RunFigures, rawPayload: RunFigures, maintenance: RunFigures });
export type RetentionFigures = z.infer<typeof RetentionFigures>;

const status = z.enum(['ok', 'bad', 'unknown']).meta({
  description: '`bad`: something has waited for too long, or was given up. `unknown`: nobody can tell at the moment',
});
const reason = z.string().nullable().meta({ description: 'What is wrong; null where nothing is' });

const Judged = { status, reason };
/**
 * Health of one signal. The figures cover the whole deployment; a caller who may not see those gets only the share of a
 * project.
 */
const HealthSignal = SignalFigures.partial()
  .extend({
    ...Judged,
    share: SignalFigures.optional().meta({
      description:
        'Of the project of a caller who is not told the figures of all, among the first 1,000 that wait; absent where the caller opens several and names none in `x-clew-project`',
    }),
  })
  .meta({ id: 'HealthSignal' });
export type HealthSignal = z.infer<typeof HealthSignal>;

const RetentionSignal = RunFigures.partial().extend(Judged).meta({ id: 'RetentionSignal' });
export type RetentionSignal = z.infer<typeof RetentionSignal>;

const QueueFigures = z.object({
  depth: z.int().min(0),
  oldestAgeMs: z.int().min(0).meta({ description: 'For how long it has been seen to hold messages, and none fewer' }),
  deadLetters: z.int().min(0),
  consumers: z.int().min(0),
});

const QueueSignal = QueueFigures.partial()
  .extend({ queue: z.string(), ...Judged })
  .meta({ id: 'QueueSignal' });
export type QueueSignal = z.infer<typeof QueueSignal>;

const QueueProcessing = HealthSignal.extend({ queues: z.array(QueueSignal) }).meta({ id: 'QueueProcessingSignal' });
export type QueueProcessing = z.infer<typeof QueueProcessing>;

const RepairSignal = HealthSignal.extend({ status: z.enum(['ok', 'bad', 'unknown', 'not_mounted']) }).meta({
  id: 'RepairSignal',
});
export type RepairSignal = z.infer<typeof RepairSignal>;

export const HealthSignals = z
  .object({
    evidenceVisibility: HealthSignal.meta({ description: 'From the receipt of telemetry until it can be read' }),
    diagnosticExecution: HealthSignal.meta({ description: 'From a ready conversation until its Rules have ended' }),
    queueProcessing: QueueProcessing,
    repairStatusSync: RepairSignal.meta({
      description:
        'Work items and their issues: creation, synchronization, comments. `not_mounted`: there are none here',
    }),
    dataRetention: z.object({ telemetry: RetentionSignal, rawPayload: RetentionSignal, maintenance: RetentionSignal }),
  })
  .meta({ id: 'HealthSignals' });
export type HealthSignals = z.infer<typeof HealthSignals>;

export const getHealthSignals = defineRoute({
  operationId: 'getHealthSignals',
  sdk: 'health.signals',
  service: 'gateway',
  method: 'get',
  path: '/v1/health/signals',
  tag: 'Health',
  summary: 'Whether the work of the whole deployment gets done: each signal apart, none of them liveness',
  description:
    "It answers 200 whatever the signals say: what cannot be asked is `unknown`. Liveness and readiness know nothing of it. How much waits, how old it is and how much was given up are figures of all tenants together: only those with `workspace:admin` are told, and all others the states, and what of it is their own project's.",
  access: { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] },
  responses: { 200: z.object({ signals: HealthSignals }) },
  errors: ['NOT_FOUND'],
});

/** Query for the share of one project. */
const shareQuery = z.strictObject({ projectId: ProjectId.optional() });
const share = SignalFigures.optional();

export const getTelemetryFigures = defineRoute({
  operationId: 'getTelemetryFigures',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/health/telemetry',
  tag: 'Internal',
  summary: 'Say what waits to be assembled, and what each mechanism of retention has yet to do',
  access: { kind: 'internal', services: ['gateway'] },
  query: shareQuery,
  responses: { 200: z.object({ assembly: SignalFigures, share, retention: RetentionFigures }) },
});

export const getDiagnosticFigures = defineRoute({
  operationId: 'getDiagnosticFigures',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/internal/v1/health/diagnostics',
  tag: 'Internal',
  summary: 'Say which analyses have not come to an end, and what issues wait for',
  access: { kind: 'internal', services: ['gateway'] },
  query: shareQuery,
  responses: {
    200: z.object({
      analyses: SignalFigures,
      share,
      repairs: SignalFigures.optional().meta({ description: 'Absent where work items are not mounted' }),
      repairShare: share,
    }),
  },
});
