import { type Clock, newId, toAppError } from '@clew/kernel';
import type { CallProvider } from '../inference/call-provider.ts';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import { answerJson } from '../providers/provider-answer.ts';
import { errorOfFailure } from '../inference/provider-errors.ts';
import { beginCall, type FinishedCall } from '../recording/finished-call.ts';
import type { ObservedAnswer } from '../recording/observed-answer.ts';
import type { JsonRecord } from '../recording/values.ts';

export interface AskModelDependencies {
  callProvider: CallProvider;
  record: (call: FinishedCall) => void;
  clock: Clock;
}

/** Calls a model for the system itself: the call is metered, and is no conversation. Throws an AppError. */
export interface AskModel {
  chat(projectId: string, endpoint: ModelEndpoint, request: JsonRecord): Promise<ObservedAnswer>;
  /** Resolves with the body of the answer, unchanged. */
  embeddings(projectId: string, endpoint: ModelEndpoint, request: JsonRecord): Promise<unknown>;
}

const TIMEOUT_MS = 30_000;
const PATHS = { chat: '/chat/completions', embeddings: '/embeddings' } as const;

export function createAskModel({ callProvider, record, clock }: AskModelDependencies): AskModel {
  async function ask(operation: keyof typeof PATHS, projectId: string, endpoint: ModelEndpoint, request: JsonRecord) {
    const progress = beginCall({
      ...{ operation, projectId, endpoint, request },
      requestId: newId('req'),
      principal: { kind: 'service', id: 'model-runtime-svc' },
      traceparent: undefined,
      conversationId: undefined,
      requestBytes: 0,
      startedAtMs: clock.now(),
    });
    try {
      const answer = await callProvider({
        endpoint,
        path: PATHS[operation],
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...request, model: endpoint.model }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const body = await answerJson(answer.body);
      progress.observer.see(body);
      record(progress.end(clock.now()));
      return { body, answer: progress.observer.answer };
    } catch (error) {
      const failure = errorOfFailure(error);
      record(progress.end(clock.now(), toAppError(failure).code.toLowerCase()));
      throw failure;
    }
  }

  return {
    chat: async (...asked) => (await ask('chat', ...asked)).answer,
    embeddings: async (...asked) => (await ask('embeddings', ...asked)).body,
  };
}
