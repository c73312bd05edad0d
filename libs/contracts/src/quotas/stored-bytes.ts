import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const bytes = z.int().min(0);

export const StorageState = z.object({
  telemetryBytes: bytes,
  datasetBytes: bytes,
  measuredAt: EpochMs.nullable().meta({ description: 'Null: not measured yet' }),
  limit: bytes.nullable(),
});
export type StorageState = z.infer<typeof StorageState>;

/** Internal: what a project stores, as last measured, and its quota. */
export const getStorageState = defineRoute({
  operationId: 'getStorageState',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/internal/v1/projects/:projectId/storage',
  tag: 'Internal',
  summary: 'Read what a project stores, and its quota',
  access: { kind: 'internal', services: ['datasets-svc'] },
  params: ProjectParams,
  responses: { 200: StorageState },
});

/** Internal: measures the Datasets of a project. */
export const measureDatasets = defineRoute({
  operationId: 'measureDatasets',
  service: 'datasets-svc',
  method: 'get',
  path: '/internal/v1/projects/:projectId/dataset-bytes',
  tag: 'Internal',
  summary: 'Measure what the Datasets of a project take',
  access: { kind: 'internal', services: ['telemetry-warehouse'] },
  params: ProjectParams,
  responses: { 200: z.object({ bytes }) },
});
