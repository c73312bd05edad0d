import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { ContentCapture, DEFAULT_MASKING, MaskingChange, MaskingSettings } from './privacy.ts';
import { SuccessScore, SuccessScores } from './success-scores.ts';

const TAG = 'Conversations';
const SETTINGS_PATH = '/v1/projects/:projectId/telemetry/settings';
const MAX_DAYS = 3_650;

const SUCCESS_SCORES =
  'The scores that count as success or failure, for Rules, judgements and collection alike, in what is read from then ' +
  'on. Other scores count as neither; while the list is empty, all scores count with their usual meaning';

const CONTENT_CAPTURE =
  'full: what was said. structure: roles, names of tools, lengths, times, tokens and kinds of errors alone, from then on';

const retention = {
  telemetryRetentionDays: z.int().min(1).max(MAX_DAYS).meta({
    description: 'Spans go so long after they were received, a conversation so long after the last of it was',
  }),
  rawPayloadRetentionDays: z.int().min(1).max(MAX_DAYS).meta({
    description: 'Words go so long after they were received; what is quoted stays. No longer than telemetry is kept',
  }),
  snapshotRetentionDays: z.int().min(1).max(MAX_DAYS).meta({
    description: 'A snapshot that is not the latest of its conversation goes so long after it was made',
  }),
  maintenanceIntervalHours: z.int().min(1).max(720).meta({
    description: 'How often staged objects and snapshots are looked through, and traces put together',
  }),
};

export const TelemetrySettings = z
  .object({
    ...retention,
    successScores: z.array(SuccessScore).meta({ description: SUCCESS_SCORES }),
    masking: MaskingSettings,
    contentCapture: ContentCapture.meta({ description: CONTENT_CAPTURE }),
  })
  .meta({ id: 'TelemetrySettings' });
export type TelemetrySettings = z.infer<typeof TelemetrySettings>;

/** Settings of a project that has not set its own. */
export const DEFAULT_TELEMETRY_SETTINGS: TelemetrySettings = {
  telemetryRetentionDays: 90,
  rawPayloadRetentionDays: 30,
  snapshotRetentionDays: 7,
  maintenanceIntervalHours: 24,
  successScores: [],
  masking: DEFAULT_MASKING,
  contentCapture: 'full',
};

const TelemetrySettingsChange = z
  .strictObject({
    ...retention,
    successScores: SuccessScores.meta({ description: SUCCESS_SCORES }),
    masking: MaskingChange.meta({
      description: 'What is absent stays; `patterns` and `allow` replace their lists. In force within seconds',
    }),
    contentCapture: ContentCapture.meta({ description: CONTENT_CAPTURE }),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type TelemetrySettingsChange = z.infer<typeof TelemetrySettingsChange>;

const SettingsResponse = z.object({ settings: TelemetrySettings });

export const RETENTION_MECHANISMS = ['telemetry', 'rawPayload', 'maintenance'] as const;
export type RetentionMechanism = (typeof RETENTION_MECHANISMS)[number];

export const RetentionState = z
  .object({
    lastRunAt: EpochMs.nullable().meta({ description: 'When it last came to an end; null before the first time' }),
    removed: z.record(z.string(), z.int().min(0)).meta({ description: 'What that run removed, by kind' }),
    removedInTotal: z.record(z.string(), z.int().min(0)),
    isRunning: z.boolean(),
    backlog: z.int().min(0).meta({ description: 'What has expired and is there still; counted up to 10,000' }),
    oldestAgeMs: z.int().min(0).meta({ description: 'For how long the first of it has been expired' }),
  })
  .meta({ id: 'RetentionState', description: 'One mechanism of retention in one project' });
export type RetentionState = z.infer<typeof RetentionState>;

const RetentionStates = z
  .object({ telemetry: RetentionState, rawPayload: RetentionState, maintenance: RetentionState })
  .meta({ id: 'RetentionStates' });
export type RetentionStates = z.infer<typeof RetentionStates>;

export const getTelemetrySettings = defineRoute({
  operationId: 'getTelemetrySettings',
  sdk: 'telemetry.settings.get',
  service: 'telemetry-warehouse',
  method: 'get',
  path: SETTINGS_PATH,
  tag: TAG,
  summary: 'Read for how long telemetry is kept, which scores count, and what is masked',
  description:
    'Days until telemetry is removed, names of scores that mean success, detectors of secrets and personal data, and whether content is stored.',
  access: { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] },
  params: ProjectParams,
  responses: { 200: SettingsResponse },
});

export const updateTelemetrySettings = defineRoute({
  operationId: 'updateTelemetrySettings',
  sdk: 'telemetry.settings.update',
  service: 'telemetry-warehouse',
  method: 'patch',
  path: SETTINGS_PATH,
  tag: TAG,
  summary: 'Set for how long telemetry is kept, which scores count, and what is masked',
  description:
    'What has expired by the change goes with the next run, which begins at once. Backups have their own times. ' +
    '`successScores` replaces the list. Masking and capture apply to what arrives from then on, in every process within ' +
    'seconds; what is stored stays as it is.',
  access: { kind: 'caller', scopes: ['workspace:write'], permissions: ['project:update'] },
  params: ProjectParams,
  body: TelemetrySettingsChange,
  responses: { 200: SettingsResponse },
});

export const getRetention = defineRoute({
  operationId: 'getRetention',
  sdk: 'telemetry.retention',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/telemetry/retention',
  tag: TAG,
  summary: 'Read what each mechanism of retention removed, when it last ran, and what it has yet to do',
  description:
    'Old telemetry, raw payloads and what their removal leaves behind, each with its last run, counts and backlog.',
  access: { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] },
  params: ProjectParams,
  responses: { 200: z.object({ retention: RetentionStates }) },
});
