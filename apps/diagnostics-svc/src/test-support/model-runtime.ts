import { getModelAvailabilitiesInternally, type ModelAvailability } from '@clew/contracts';
import { answer, createApi, listen, route, type Authenticate } from '@clew/http';
import { AppError } from '@clew/kernel';
import { silentLogger } from '@clew/testing';

/** Loopback server for the one route of the model runtime that this service calls. */
export interface LoopbackModelRuntime {
  readonly url: string;
  /** Available models, by requested name. */
  readonly models: Map<string, { resolvedModel?: string; judgementScore?: number }>;
  /** Requested names, in order. */
  readonly asked: string[];
  /** While true, every call fails. */
  isAway: boolean;
  stop(): Promise<void>;
}

export async function startModelRuntime(authenticate: Authenticate): Promise<LoopbackModelRuntime> {
  const models: LoopbackModelRuntime['models'] = new Map();
  const asked: string[] = [];
  const tell = route(getModelAvailabilitiesInternally, async ({ body }) => {
    if (runtime.isAway) throw new AppError('OVERLOADED', 'Too much at once');
    asked.push(...body.models);
    return answer(200, { availabilities: body.models.map(availabilityOf) });
  });

  function availabilityOf(model: string): ModelAvailability {
    const known = models.get(model);
    if (known === undefined) {
      const reason = 'no_suitable_model' as const;
      return { model, available: false, reason, resolvedModel: null, capabilities: null, checkedAt: null };
    }
    const { resolvedModel = model, judgementScore = 1 } = known;
    const capabilities = { chat: true, jsonMode: true, jsonSchema: true, tools: true, contextLength: null };
    const judged = { ...capabilities, judgement: judgementScore >= 7 / 8, judgementScore, embeddings: false };
    return { model, available: true, reason: null, resolvedModel, capabilities: judged, checkedAt: 1 };
  }

  const listener = createApi({ authenticate, logger: silentLogger(), routes: [tell] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  let stopped: Promise<void> | undefined;
  const runtime: LoopbackModelRuntime = {
    ...{ url: `http://127.0.0.1:${server.port}`, models, asked, isAway: false },
    stop: () => (stopped ??= server.stop()),
  };
  return runtime;
}
