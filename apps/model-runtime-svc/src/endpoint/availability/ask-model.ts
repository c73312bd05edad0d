import { text as readText } from 'node:stream/consumers';
import { newId, toAppError, type Clock } from '@clew/kernel';
import type { CallProvider } from '../inference/call-provider.ts';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import { errorOfFailure } from '../inference/provider-errors.ts';
import { beginCall, type FinishedCall } from '../recording/finished-call.ts';
import type { ObservedAnswer } from '../recording/observed-answer.ts';
import type { JsonRecord } from '../recording/values.ts';

export interface AskModelDependencies {
  callProvider: CallProvider;
  record: (call: FinishedCall) => void;
  clock: Clock;
}

/** Asks a model something for the system itself: metered, and no conversation. Throws an AppError. */
export type AskModel = (projectId: string, endpoint: ModelEndpoint, request: JsonRecord) => Promise<ObservedAnswer>;

const TIMEOUT_MS = 30_000;

export function createAskModel({ callProvider, record, clock }: AskModelDependencies): AskModel {
  return async (projectId, endpoint, request) => {
    const progress = beginCall({
      ...{ projectId, endpoint, request },
      requestId: newId('req'),
      operation: 'chat',
      principal: { kind: 'service', id: 'model-runtime-svc' },
      traceparent: undefined,
      conversationId: undefined,
      requestBytes: 0,
      startedAtMs: clock.now(),
    });
    try {
      const answer = await callProvider({
        endpoint,
        path: '/chat/completions',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...request, model: endpoint.model }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      progress.observer.see(JSON.parse(await readText(answer.body)));
      record(progress.end(clock.now()));
      return progress.observer.answer;
    } catch (error) {
      const failure = errorOfFailure(error);
      record(progress.end(clock.now(), toAppError(failure).code.toLowerCase()));
      throw failure;
    }
  };
}
