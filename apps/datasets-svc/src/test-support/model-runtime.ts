import { getModelAvailabilityInternally, type UnavailableReason } from '@clew/contracts';
import { answer, createApi, listen, route } from '@clew/http';
import { AppError } from '@clew/kernel';
import { silentLogger } from '@clew/testing';
import type { Identities } from '@clew/testing/identities';

/** A loopback provider of the one route of the model runtime that this service calls. */
export interface LoopbackModelRuntime {
  readonly url: string;
  /** Why models are not available, by name; null where they are. Any other has no provider. */
  readonly reasons: Map<string, UnavailableReason | null>;
  /** What was asked, in order. */
  readonly asked: { projectId: string; model: string; purpose: string }[];
  /** Whether it answers 503 only. */
  isAway: boolean;
  stop(): Promise<void>;
}

export async function startModelRuntime({ authenticate }: Identities): Promise<LoopbackModelRuntime> {
  const reasons: LoopbackModelRuntime['reasons'] = new Map();
  const asked: LoopbackModelRuntime['asked'] = [];
  const read = route(getModelAvailabilityInternally, async ({ params: { projectId }, query: { model, purpose } }) => {
    asked.push({ projectId, model, purpose });
    if (runtime.isAway) throw new AppError('OVERLOADED', 'Too much at once');
    const known = reasons.get(model);
    const reason = known === undefined ? 'provider_not_found' : known;
    const found = { model, available: reason === null, reason, resolvedModel: model };
    return answer(200, { ...found, capabilities: null, checkedAt: null });
  });
  const server = await listen(createApi({ authenticate, logger: silentLogger(), routes: [read] }), {
    host: '127.0.0.1',
    port: 0,
  });
  const runtime: LoopbackModelRuntime = {
    url: `http://127.0.0.1:${server.port}`,
    ...{ reasons, asked, isAway: false },
    stop: () => server.stop(),
  };
  return runtime;
}
