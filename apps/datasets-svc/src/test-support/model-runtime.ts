import { getModelAvailabilitiesInternally, type UnavailableReason } from '@clew/contracts';
import { answer, createApi, listen, route } from '@clew/http';
import { AppError } from '@clew/kernel';
import { silentLogger } from '@clew/testing';
import type { ServiceIdentities } from '@clew/testing/identities';

/** Loopback server for the one route of the model runtime that this service calls. */
export interface LoopbackModelRuntime {
  readonly url: string;
  /** Reasons why models are not available, by name; null for an available one. A name without entry has no provider. */
  readonly reasons: Map<string, UnavailableReason | null>;
  /** Models whose probe takes longer than anybody waits. */
  readonly slow: Set<string>;
  /** Requests received, in order. */
  readonly asked: { projectId: string; models: readonly string[]; purpose: string }[];
  /** While true, every request gets 503. */
  isAway: boolean;
  stop(): Promise<void>;
}

export async function startModelRuntime({ authenticate }: ServiceIdentities): Promise<LoopbackModelRuntime> {
  const reasons: LoopbackModelRuntime['reasons'] = new Map();
  const asked: LoopbackModelRuntime['asked'] = [];
  const slow: LoopbackModelRuntime['slow'] = new Set();
  const read = route(getModelAvailabilitiesInternally, async ({ params: { projectId }, body: { models, purpose } }) => {
    asked.push({ projectId, models, purpose });
    if (runtime.isAway) throw new AppError('OVERLOADED', 'Too much at once');
    const known = [...new Set(models)].filter((model) => !slow.has(model));
    const availabilities = known.map((model) => {
      const reason = reasons.has(model) ? (reasons.get(model) ?? null) : 'provider_not_found';
      const found = { model, available: reason === null, reason, resolvedModel: model };
      return { ...found, capabilities: null, checkedAt: null };
    });
    return answer(200, { availabilities });
  });
  const server = await listen(createApi({ authenticate, logger: silentLogger(), routes: [read] }), {
    host: '127.0.0.1',
    port: 0,
  });
  const runtime: LoopbackModelRuntime = {
    url: `http://127.0.0.1:${server.port}`,
    ...{ reasons, slow, asked, isAway: false },
    stop: () => server.stop(),
  };
  return runtime;
}
