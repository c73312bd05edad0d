import { ModelName } from '@clew/contracts';
import { parsePart, type RequestContext } from '@clew/http';
import { z } from 'zod';
import type { BodyBudget } from './body-budget.ts';
import type { InferenceService } from './inference.service.ts';
import { receiveForm } from '../../shared/index.ts';

export interface TranscriptionsDependencies {
  inference: Pick<InferenceService, 'serve'>;
  spoolDirectory: string;
  maxFileBytes: number;
  /** Of disk. */
  spoolBudget: BodyBudget;
}

export interface Transcriptions {
  /** Answers a call by itself. Throws an AppError while nothing was sent. */
  serve(projectId: string, context: RequestContext): Promise<void>;
}

const Fields = z.looseObject({ model: ModelName });
const UNDECLARED_BYTES = 64 * 1024 * 1024;

/** The model may stand behind the recording in the form, so the whole of it is received before it is sent on. */
export function createTranscriptions(deps: TranscriptionsDependencies): Transcriptions {
  return {
    async serve(projectId, context) {
      const { request } = context;
      const declaredBytes = Number(request.headers['content-length'] ?? UNDECLARED_BYTES);
      const release = deps.spoolBudget.take(Math.min(declaredBytes, deps.maxFileBytes));
      try {
        const form = await receiveForm({
          ...{ request, directory: deps.spoolDirectory, maxFileBytes: deps.maxFileBytes },
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
