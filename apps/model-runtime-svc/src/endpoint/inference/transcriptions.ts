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
  /** In bytes. */
  disk: SharedBudget;
}

export interface Transcriptions {
  /** Answers a call by itself. Throws an AppError while nothing was sent. */
  serve(projectId: string, context: RequestContext): Promise<void>;
}

const Fields = z.looseObject({ model: ModelName });

/** The model may stand behind the recording in the form, so the whole of it is received before it is sent on. */
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
