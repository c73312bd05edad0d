import {
  createEmbeddingsInternally,
  getModelAvailabilitiesInternally,
  STREAMED,
  type ModelAvailability,
  type UnavailableReason,
} from '@clew/contracts';
import { answer, createApi, listen, readBody, route, type Authenticate } from '@clew/http';
import { AppError, readJson } from '@clew/kernel';
import { silentLogger } from '@clew/testing';

/** Loopback server for the routes of the model runtime that this service calls. */
export interface LoopbackModelRuntime {
  readonly url: string;
  /** Reasons why models are not available, by name; null for an available one. A name without entry has no provider. */
  readonly reasons: Map<string, UnavailableReason | null>;
  /** Model that `service/auto` resolves to for embeddings. */
  embeddingModel: string | null;
  /** Projects that asked for an embedding model, in order. */
  readonly askedToEmbed: string[];
  /** Gives the vector of a text; the promise may never resolve. */
  embed: (text: string) => readonly number[] | Promise<readonly number[]>;
  /** Texts that were embedded, in order. */
  readonly embedded: string[];
  /** While true, all calls fail; while `embedding`, only the calls that ask for an embedding model do. */
  isAway: boolean | 'embedding';
  stop(): Promise<void>;
}

interface EmbeddingsBody {
  input: string[];
  model: string;
}

const MAX_BODY_BYTES = 1_000_000;

export async function startModelRuntime(authenticate: Authenticate): Promise<LoopbackModelRuntime> {
  const reasons: LoopbackModelRuntime['reasons'] = new Map([['service/auto', null]]);
  const tell = route(getModelAvailabilitiesInternally, async ({ params, body }) => {
    const isToEmbed = body.purpose === 'embedding';
    if (isToEmbed) runtime.askedToEmbed.push(params.projectId);
    const isAway = runtime.isAway === true || (isToEmbed && runtime.isAway === 'embedding');
    if (isAway) throw new AppError('OVERLOADED', 'Too much at once');
    return answer(200, { availabilities: body.models.map(isToEmbed ? embedderOf : availabilityOf) });
  });
  const embed = route(createEmbeddingsInternally, async (_input, { request, response }) => {
    const { input, model } = readJson((await readBody(request, MAX_BODY_BYTES)).toString()) as EmbeddingsBody;
    if (model !== runtime.embeddingModel) throw new AppError('MODEL_NOT_FOUND', `There is no model ${model}`);
    runtime.embedded.push(...input);
    const vectors = await Promise.all(input.map((text) => runtime.embed(text)));
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data, model }));
    return STREAMED;
  });

  function embedderOf(model: string): ModelAvailability {
    const resolvedModel = runtime.embeddingModel;
    const reason = resolvedModel === null ? 'no_suitable_model' : null;
    return { model, available: reason === null, reason, resolvedModel, capabilities: null, checkedAt: null };
  }

  function availabilityOf(model: string): ModelAvailability {
    const reason = reasons.has(model) ? (reasons.get(model) ?? null) : 'provider_not_found';
    const available = reason === null;
    const resolvedModel = available ? (model === 'service/auto' ? 'acme/best' : model) : null;
    return { model, available, reason, resolvedModel, capabilities: null, checkedAt: null };
  }

  const listener = createApi({ authenticate, logger: silentLogger(), routes: [tell, embed] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  const runtime: LoopbackModelRuntime = {
    ...{ url: `http://127.0.0.1:${server.port}`, reasons, isAway: false },
    ...{ embeddingModel: null, askedToEmbed: [], embed: () => [], embedded: [] },
    stop: () => server.stop(),
  };
  return runtime;
}
