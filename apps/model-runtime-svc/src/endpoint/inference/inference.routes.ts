import {
  createChatCompletion,
  createChatCompletionInternally,
  createCompletion,
  createEmbeddings,
  createEmbeddingsInternally,
  createTranscription,
  listInferenceModels,
  STREAMED,
} from '@clew/contracts';
import { answer, route, type RequestContext, type Route } from '@clew/http';
import { AppError } from '@clew/kernel';
import type { InferenceService, JsonOperation } from './inference.service.ts';
import type { ModelList } from './model-list.ts';
import type { Transcriptions } from './transcriptions.ts';

export interface InferenceRoutesDependencies {
  inference: InferenceService;
  transcriptions: Transcriptions;
  modelList: ModelList;
}

export function inferenceRoutes({ inference, transcriptions, modelList }: InferenceRoutesDependencies): Route[] {
  const serveJson = async (operation: JsonOperation, projectId: string, context: RequestContext) => {
    await inference.serveJson(operation, projectId, context);
    return STREAMED;
  };
  return [
    route(createChatCompletion, (_input, context) => serveJson('chat', projectOf(context), context)),
    route(createCompletion, (_input, context) => serveJson('text_completion', projectOf(context), context)),
    route(createEmbeddings, (_input, context) => serveJson('embeddings', projectOf(context), context)),
    route(createTranscription, async (_input, context) => {
      await transcriptions.serve(projectOf(context), context);
      return STREAMED;
    }),
    route(listInferenceModels, async (_input, context) => answer(200, await modelList(projectOf(context)))),
    route(createChatCompletionInternally, ({ params }, context) => serveJson('chat', params.projectId, context)),
    route(createEmbeddingsInternally, ({ params }, context) => serveJson('embeddings', params.projectId, context)),
  ];
}

/** Project of the caller, as found by the gateway; the paths of these routes name none. */
function projectOf({ caller }: RequestContext): string {
  if (caller?.projectId === undefined) throw new AppError('PROJECT_REQUIRED', 'Name the project');
  return caller.projectId;
}
