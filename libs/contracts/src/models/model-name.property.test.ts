import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { allRoutes } from '../all-routes.ts';
import { DatasetChange, NewDataset } from '../datasets/datasets.ts';
import { getModelAvailabilitiesInternally, getModelAvailability, updateModelSettings } from './availability.ts';
import { HubRepoId } from './catalog.ts';
import { ChatCompletionRequest, CompletionRequest, EmbeddingsRequest, TranscriptionRequest } from './inference.ts';
import { AUTO_MODEL, ModelName, ProviderName } from './model-name.ts';
import { setModelReference } from './providers.ts';

const MESSAGES = [{ role: 'user' }];

/** Places that take a model's name, each with a check of whether it accepts a given one. */
const places: Readonly<Record<string, (model: string) => boolean>> = {
  newDataset: (collectionModel) => accepts(NewDataset.shape.collectionModel, collectionModel),
  datasetChange: (collectionModel) => accepts(DatasetChange, { collectionModel }),
  availability: (model) => accepts(getModelAvailability.query, { model }),
  reference: (model) => accepts(setModelReference.body, { models: [model] }),
  chat: (model) => accepts(ChatCompletionRequest, { model, messages: MESSAGES }),
  completion: (model) => accepts(CompletionRequest, { model, prompt: '' }),
  embeddings: (model) => accepts(EmbeddingsRequest, { model, input: '' }),
  transcription: (model) => accepts(TranscriptionRequest, { model, file: '' }),
  settings: (model) => model === AUTO_MODEL || accepts(updateModelSettings.body, { defaultModel: model }),
};

function accepts(schema: { safeParse(value: unknown): { success: boolean } }, value: unknown): boolean {
  return schema.safeParse(value).success;
}

function schemasOf(...parts: readonly unknown[]): z.ZodType[] {
  return parts.filter((part) => part instanceof z.ZodType);
}

function reasonAgainst(name: string): string | undefined {
  return ModelName.safeParse(name).error?.issues[0]?.message;
}

const provider = fc.oneof(
  fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,70}$/),
  fc.stringMatching(/^[A-Za-z0-9._-]{0,5}$/),
  fc.constantFrom('self', 'service', 'openai', 'Acme', ''),
);
const model = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', '/', '.', ':', '\u0000', '\u0085', ' ', '\ud800', 'é', '\u{1f600}') }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('auto', 'gpt-x', '/models/llama', 'x'.repeat(300)),
);
const anyName = fc.oneof(
  fc.tuple(provider, model).map(([first, rest]) => `${first}/${rest}`),
  fc.string(),
);

describe("a model's name", () => {
  it('that one place takes is one that every other takes', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const taken = Object.entries(places).filter(([, takes]) => takes(name));
        expect(taken.map(([place]) => place)).toEqual(accepts(ModelName, name) ? Object.keys(places) : []);
        // Services may ask about names that were stored under older rules, so this place accepts more, and never less.
        if (taken.length > 0) expect(accepts(getModelAvailabilitiesInternally.body, { models: [name] })).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('begins with the name of a provider that could be made, or a reserved one', () => {
    fc.assert(
      fc.property(provider, (name) => {
        const isProvider = accepts(ProviderName, name) || name === 'self' || name === 'service';
        expect(accepts(ModelName, `${name}/x`)).toBe(isProvider);
      }),
    );
  });

  it('can be made of every model that can be imported', () => {
    const repository = fc.stringMatching(/^[A-Za-z0-9._-]{1,96}\/[A-Za-z0-9._-]{1,96}$/);
    fc.assert(
      fc.property(repository, (repoId) => {
        if (accepts(HubRepoId, repoId)) expect(accepts(ModelName, `self/${repoId.replace('/', '--')}`)).toBe(true);
      }),
    );
  });

  it.each(['openai/gpt-x', 'self/owner--name', AUTO_MODEL, 'acme/models/a:b', 'vllm//models/llama', 'a/é'])(
    'may be %s',
    (name) => {
      expect(reasonAgainst(name)).toBeUndefined();
    },
  );

  it.each([
    ['gpt-x', 'must be <provider>/<model_name>, self/<model_id> or service/auto'],
    ['', 'must be <provider>/<model_name>, self/<model_id> or service/auto'],
    ['OpenAI/gpt-x', expect.stringContaining('before the slash: 1 to 63 of a-z')],
    ['/gpt-x', expect.stringContaining('before the slash')],
    ['acme-/gpt-x', expect.stringContaining('a letter or digit first and last')],
    ['acme/', 'must name a model after the slash'],
    ['acme/gpt x', 'must not hold white space or control characters'],
    ['acme/gpt\u0000', 'must not hold white space or control characters'],
    ['acme/\ud800', 'must be well-formed text'],
  ])('may not be %j, and the reason says why', (name, reason) => {
    expect(reasonAgainst(name)).toEqual(reason);
  });

  it('has at most 300 characters', () => {
    expect(reasonAgainst(`acme/${'x'.repeat(295)}`)).toBeUndefined();
    expect(reasonAgainst(`acme/${'x'.repeat(296)}`)).toContain('300');
  });

  it('is taken by no member `model` of a body but through the one schema', () => {
    const bodies = allRoutes().flatMap(({ body, ownBody }) => schemasOf(body, ...Object.values(ownBody ?? {})));
    const taking = bodies.filter((schema) => 'shape' in schema && 'model' in (schema.shape as object));
    expect(taking.length).toBeGreaterThan(3);
    for (const schema of taking) {
      const { error } = schema.safeParse({ model: 'Acme/x', messages: MESSAGES, input: '', file: '' });
      expect(error?.issues).toContainEqual(expect.objectContaining({ path: ['model'] }));
    }
  });
});
