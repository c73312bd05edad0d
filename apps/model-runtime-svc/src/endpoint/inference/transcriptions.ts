import { ModelName } from '@clew/contracts';
import { parsePart, type RequestContext } from '@clew/http';
import type { SharedBudget } from '@clew/kernel';
import { z } from 'zod';
import type { InferenceService } from './inference.service.ts';
import { receiveForm } from '../../shared/index.ts';

export interface TranscriptionsDependencies {
  inference: Pick<InferenceService, 'serve'>;
  spoolDirectory: string;
  maxFileBytes: number;
  /** Disk budget in bytes. */
  disk: SharedBudget;
}

export interface Transcriptions {
  /** Serves a call. Throws an AppError if nothing was sent yet. */
  serve(projectId: string, context: RequestContext): Promise<void>;
}

const Fields = z.looseObject({ model: ModelName });

/**
 * Serves transcriptions. The model may come after the recording in the form, so the whole form is received before it is
 * sent on.
 */
export function createTranscriptions(deps: TranscriptionsDependencies): Transcriptions {
  return {
    async serve(projectId, context) {
      const { hold, release } = deps.disk.open(projectId);
      try {
        const form = await receiveForm({
          ...{ request: context.request, directory: deps.spoolDirectory, onBytes: hold },
          maxFileBytes: Math.min(deps.maxFileBytes, deps.disk.mostUnitsOfOne),
        });
        try {
          form.requireFile();
          const fields = parsePart('body', Fields, Object.fromEntries(form.fields));
          await deps.inference.serve(projectId, context, {
            operation: 'transcription',
            request: fields,
            requestBytes: 0,
            hidesUsage: false,
            outgoing: async (model) => ({ body: await form.toFormData({ model }), headers: {} }),
          });
        } finally {
          await form.remove();
        }
      } finally {
        release();
      }
    },
  };
}
