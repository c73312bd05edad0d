import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { datasetQuery, datasetsKey } from '../examples/queries.ts';
import { importQuery, type ImportPlan } from './import-plan.ts';
import type { FileHead } from './import-preview.ts';

/** Time that a large file may take. */
const LONG_MS = 6 * 3_600_000;
const LOOK_MS = 1_500;

export interface ImportJob {
  readonly datasetId: string;
  readonly file: File;
  readonly head: FileHead;
  readonly plan: ImportPlan;
}

export interface ImportRun {
  /** Sends a file; the same job again goes on where it was broken off. */
  readonly start: (job: ImportJob) => void;
  readonly isRunning: boolean;
  readonly report: Api.DatasetImportReport | undefined;
  readonly error: Error | null;
  /** Examples of the Dataset while the file is read. */
  readonly exampleCount: number | undefined;
  readonly reset: () => void;
}

/** Sends a file from the disk, as it is, to be imported. */
export function useImport(projectId: string): ImportRun {
  const client = useQueryClient();
  // The key of a job stays the same, so that a repeat takes up what is left of it.
  const latest = useRef<{ job: ImportJob; key: string }>(undefined);
  const send = useMutation({
    mutationFn: async ({ datasetId, file, head, plan }: ImportJob) =>
      await clew.datasets.import(datasetId, file, {
        ...importQuery(head, plan),
        ...{ project: projectId, idempotencyKey: latest.current?.key, attemptTimeoutMs: LONG_MS },
      }),
    onError: () => undefined,
    onSettled: () => client.invalidateQueries({ queryKey: datasetsKey(projectId) }),
  });
  const datasetId = send.variables?.datasetId ?? '';
  const { data } = useQuery({
    ...datasetQuery(projectId, datasetId),
    enabled: send.isPending,
    refetchInterval: LOOK_MS,
  });
  return {
    start: (job) => {
      const before = latest.current;
      const isSame = before?.job.file === job.file && before.job.plan === job.plan;
      latest.current = { job, key: isSame ? before.key : crypto.randomUUID() };
      send.mutate(job);
    },
    isRunning: send.isPending,
    report: send.data,
    error: send.error,
    exampleCount: send.isPending ? data?.dataset.exampleCount : undefined,
    reset: () => {
      latest.current = undefined;
      send.reset();
    },
  };
}
