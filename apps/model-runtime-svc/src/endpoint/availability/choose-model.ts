import { LRUCache } from 'lru-cache';
import { ModelPurpose } from '@clew/contracts';
import type { LocalServices } from '../providers/local-services.ts';
import type { ProviderModels } from '../providers/provider-models.ts';
import type { ProviderStore } from '../providers/providers.store.ts';
import type { CapabilityStore } from './capabilities.store.ts';
import { byMerit, embeds, type CapabilityRecord } from './capability-record.ts';
import type { EvaluateModel } from './evaluate-model.ts';
import { isNamedForEmbedding } from './probe-embeddings.ts';
import type { ModelSettingsStore } from './settings.store.ts';

export interface ChooseModelDependencies {
  settings: Pick<ModelSettingsStore, 'get'>;
  capabilities: Pick<CapabilityStore, 'list'>;
  providers: Pick<ProviderStore, 'list'>;
  providerModels: ProviderModels;
  localServices: LocalServices;
  evaluate: EvaluateModel;
}

/** Chooses the model for `service/auto`. */
export interface ModelChoice {
  /** Returns the best available model for the purpose. The project's default comes first, except for embedding. */
  choose(projectId: string, purpose: ModelPurpose): Promise<string | undefined>;
  /** Drops cached choices after a change in the project. */
  forget(projectId: string): void;
}

const KEPT_MS = 30_000;
const NOTHING_KEPT_MS = 5_000;
const MAX_KEPT = 10_000;
const MAX_PROVIDERS = 20;
/** Maximum number of models tried that nobody has named yet, since probing costs calls. */
const MAX_TRIED_PER_PROVIDER = 3;
const MAX_TRIED = 6;
/** Names of models that do not chat. */
const NOT_FOR_CHAT =
  /embed|whisper|tts|audio|speech|transcri|image|dall-e|moderation|rerank|realtime|sora|veo|guard|ocr|instruct-0914|davinci|babbage/i;

export function createModelChoice(deps: ChooseModelDependencies): ModelChoice {
  const kept = new LRUCache<string, { model: string | undefined }>({ max: MAX_KEPT });
  const choosing = new Map<string, Promise<string | undefined>>();

  async function choose(projectId: string, purpose: ModelPurpose): Promise<string | undefined> {
    const { defaultModel } = await deps.settings.get(projectId);
    // The default model is for chat only.
    if (defaultModel !== null && purpose !== 'embedding') {
      if (purpose === 'general') return defaultModel;
      const record = await deps.evaluate(projectId, defaultModel);
      if (isFit(record, purpose)) return defaultModel;
    }
    return best(await knownModels(projectId, purpose), purpose) ?? best(await triedModels(projectId, purpose), purpose);
  }

  /** Models that were probed before and are available now. */
  async function knownModels(projectId: string, purpose: ModelPurpose): Promise<CapabilityRecord[]> {
    const records = await deps.capabilities.list(projectId);
    const wanted = purpose === 'embedding' ? 'embeddings' : 'jsonMode';
    const promising = records.filter(({ capabilities }) => capabilities?.[wanted] === true).sort(orderFor(purpose));
    return await Promise.all(promising.slice(0, MAX_TRIED).map(({ model }) => deps.evaluate(projectId, model)));
  }

  async function triedModels(projectId: string, purpose: ModelPurpose): Promise<CapabilityRecord[]> {
    const category = purpose === 'embedding' ? 'embedding' : undefined;
    const local = (await deps.localServices.readyModels(projectId, category)).map((modelId) => `self/${modelId}`);
    const { items: providers } = await deps.providers.list(projectId, { limit: MAX_PROVIDERS });
    const offered = await Promise.all(providers.map(({ name }) => offeredBy(projectId, name, purpose)));
    // Takes one model of each provider before the second of any.
    const inTurns = Array.from({ length: MAX_TRIED_PER_PROVIDER }, (_, turn) =>
      offered.flatMap((of) => of[turn] ?? []),
    );
    const candidates = [...local, ...inTurns.flat()].slice(0, MAX_TRIED);
    return await Promise.all(candidates.map((model) => deps.evaluate(projectId, model)));
  }

  /** Models that a provider offers, newest first. */
  async function offeredBy(projectId: string, provider: string, purpose: ModelPurpose): Promise<string[]> {
    const { models } = await deps.providerModels.recent(projectId, provider);
    return models
      .filter(({ id }) => (purpose === 'embedding' ? isNamedForEmbedding(id) : !NOT_FOR_CHAT.test(id)))
      .toSorted((a, b) => b.created - a.created)
      .slice(0, MAX_TRIED_PER_PROVIDER)
      .map(({ id }) => `${provider}/${id}`);
  }

  return {
    async choose(projectId, purpose) {
      const key = `${projectId}:${purpose}`;
      const known = kept.get(key);
      if (known !== undefined) return known.model;
      const underWay = choosing.get(key);
      if (underWay !== undefined) return await underWay;
      const started = choose(projectId, purpose);
      choosing.set(key, started);
      try {
        const model = await started;
        // A choice overtaken by a change is used for its own call only.
        if (choosing.get(key) === started)
          kept.set(key, { model }, { ttl: model === undefined ? NOTHING_KEPT_MS : KEPT_MS });
        return model;
      } finally {
        if (choosing.get(key) === started) choosing.delete(key);
      }
    },
    forget(projectId) {
      for (const purpose of ModelPurpose.options) {
        kept.delete(`${projectId}:${purpose}`);
        choosing.delete(`${projectId}:${purpose}`);
      }
    },
  };
}

function best(records: readonly CapabilityRecord[], purpose: ModelPurpose): string | undefined {
  return records.filter((record) => isFit(record, purpose)).sort(orderFor(purpose))[0]?.model;
}

function isFit(record: CapabilityRecord, purpose: ModelPurpose): boolean {
  if (purpose === 'embedding') return embeds(record);
  return record.available && (purpose === 'general' || record.capabilities?.judgement === true);
}

function orderFor(purpose: ModelPurpose) {
  return purpose === 'embedding' ? localFirst : byMerit;
}

/**
 * Order for embedding: local models first, since they cost nothing; then by name, so that the choice is stable: vectors
 * of two models cannot be compared.
 */
function localFirst({ model: a }: CapabilityRecord, { model: b }: CapabilityRecord): number {
  return Number(b.startsWith('self/')) - Number(a.startsWith('self/')) || (a < b ? -1 : 1);
}
