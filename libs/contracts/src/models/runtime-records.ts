import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { EngineName } from './profiles.ts';

/** Names of the three engines in the specification, in the order of `ENGINES`. */
export const ENGINE_ALIASES: Readonly<Record<string, EngineName>> = {
  engine_1: 'llama.cpp',
  engine_2: 'vllm',
  engine_3: 'faster-whisper',
};

export const ENGINE_STATES = ['not_installed', 'queued', 'installing', 'ready', 'failed', 'removing'] as const;
export const DOWNLOAD_STATES = [
  'queued',
  'running',
  'verifying',
  'completed',
  'failed',
  'cancelled',
  'removing',
] as const;
export const SERVICE_STATES = ['starting', 'ready', 'stopping', 'stopped', 'failed'] as const;
export type EngineState = (typeof ENGINE_STATES)[number];
export type DownloadState = (typeof DOWNLOAD_STATES)[number];
export type ServiceState = (typeof SERVICE_STATES)[number];

const Generation = z.int().min(1).meta({ description: 'Grows with each new start; names this one in removal paths' });

/** Reason of a failure. */
export const RuntimeProblem = z.object({ code: z.string(), message: z.string() }).meta({ id: 'RuntimeProblem' });
export type RuntimeProblem = z.infer<typeof RuntimeProblem>;

export const EngineInstallation = z
  .object({
    engine: EngineName,
    state: z.enum(ENGINE_STATES),
    generation: Generation.nullable().meta({ description: 'Null while the project has never installed it' }),
    version: z.string().meta({ description: 'The version that is installed, or would be' }),
    message: z.string().nullable().meta({ description: 'What is being done right now' }),
    error: RuntimeProblem.nullable(),
    updatedAt: EpochMs.nullable(),
  })
  .meta({ id: 'EngineInstallation' });
export type EngineInstallation = z.infer<typeof EngineInstallation>;

const ProfileRef = { modelId: z.string(), profileId: z.string() };

export const ModelDownload = z
  .object({
    ...ProfileRef,
    state: z.enum(DOWNLOAD_STATES),
    generation: Generation,
    bytesDone: z.int().min(0),
    bytesTotal: z.int().min(0).nullable(),
    error: RuntimeProblem.nullable(),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'ModelDownload' });
export type ModelDownload = z.infer<typeof ModelDownload>;

export const ServiceOptions = z
  .strictObject({
    contextLength: z.int().min(128).max(10_000_000).optional(),
    parallelRequests: z.int().min(1).max(64).optional(),
    idleTimeoutMs: z
      .int()
      .min(1_000)
      .max(30 * 24 * 3_600_000)
      .nullable()
      .optional()
      .meta({ description: 'Unused for so long, it is stopped; null keeps it running' }),
  })
  .meta({ id: 'ServiceOptions' });
export type ServiceOptions = z.infer<typeof ServiceOptions>;

export const ModelService = z
  .object({
    ...ProfileRef,
    engine: EngineName,
    model: z.string().meta({ description: 'Its name in inference and trials: `self/<modelId>`' }),
    state: z.enum(SERVICE_STATES),
    generation: Generation,
    stopReason: z.enum(['requested', 'idle']).nullable(),
    error: RuntimeProblem.nullable(),
    failureCount: z.int().min(0).meta({ description: 'Crashes in a row' }),
    nextAttemptAt: EpochMs.nullable().meta({ description: 'When a service that failed is started again by itself' }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'ModelService' });
export type ModelService = z.infer<typeof ModelService>;

export const ProfileRemoval = z
  .object({ service: ModelService.nullable(), download: ModelDownload.nullable() })
  .meta({ id: 'ProfileRemoval', description: 'What of a profile is still being removed' });
export type ProfileRemoval = z.infer<typeof ProfileRemoval>;

export const RuntimeNode = z
  .object({
    id: z.string(),
    status: z.enum(['online', 'away']).meta({ description: 'Whether its agent has shown itself lately' }),
    lastSeenAt: EpochMs.nullable(),
    memory: z.object({ totalBytes: z.int(), availableBytes: z.int() }).nullable(),
    disk: z.object({ totalBytes: z.int(), freeBytes: z.int() }).nullable(),
    gpus: z.array(z.object({ name: z.string(), memoryBytes: z.int() })),
  })
  .meta({ id: 'RuntimeNode' });
export type RuntimeNode = z.infer<typeof RuntimeNode>;

/** Objects of the project on the node; those of other projects are not shown. */
export const RuntimeSnapshot = z
  .object({
    node: RuntimeNode,
    engines: z.array(EngineInstallation),
    downloads: z.array(ModelDownload).meta({ description: 'The 200 that changed last' }),
    services: z.array(ModelService).meta({ description: 'The 200 that changed last' }),
  })
  .meta({ id: 'RuntimeSnapshot' });
export type RuntimeSnapshot = z.infer<typeof RuntimeSnapshot>;

const LOG = z.array(z.string()).meta({ description: 'The last lines that were printed, oldest first' });

export const RuntimeActivity = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('engine'), ...EngineInstallation.shape, log: LOG }),
    z.object({ kind: z.literal('download'), ...ModelDownload.shape }),
    z.object({ kind: z.literal('service'), ...ModelService.shape, log: LOG }),
  ])
  .meta({ id: 'RuntimeActivity' });
export type RuntimeActivity = z.infer<typeof RuntimeActivity>;
