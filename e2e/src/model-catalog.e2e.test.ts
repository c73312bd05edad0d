import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CatalogModel, ModelDetail } from '@clew/contracts';
import { CHAT_REPO, EMBEDDING_REPO, GATED_REPO, SPEECH_REPO, type LoopbackHub } from '@clew/testing/hub';
import { catalogOf, type CatalogAnswer } from './support/model-catalog.ts';
import { startModelHub } from './support/model-hub.ts';
import { modelRuntimeOf } from './support/model-runtime.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const SEEN = ['acme--secret-chat', 'acme--tiny-chat-GGUF', 'acme--tiny-embed', 'acme--tiny-whisper'];
const IMPORTED = 'acme--tiny-chat-GGUF';
let hub: LoopbackHub;
let project: TestProject;
let catalog: ReturnType<typeof catalogOf>;
let everything: CatalogModel[];

beforeAll(async () => {
  hub = await startModelHub([CHAT_REPO, EMBEDDING_REPO, SPEECH_REPO, GATED_REPO]);
  project = await createTestProject('catalog');
  catalog = catalogOf(project);
  expect((await catalog.refresh()).body).toMatchObject({ hub: { state: 'succeeded' }, discoveredCount: 4 });
  everything = (await catalog.page({ limit: 100 })).models;
});

afterAll(() => hub.stop());

/** Ids of the models that satisfy a condition, ordered by name. */
function idsWhere(holds: (model: CatalogModel) => boolean): string[] {
  return everything.filter(holds).map(({ id }) => id);
}

describe('the catalog page', () => {
  it('stands beside the current runtime snapshot', async () => {
    const { body } = await project.call<CatalogAnswer>('/models/catalog');
    expect(Object.keys(body).toSorted()).toEqual(['page', 'runtime']);
    const { body: runtime } = await project.call<CatalogAnswer['runtime']>('/models/runtime');
    expect(body.runtime).toMatchObject({ engines: runtime.engines, downloads: [], services: [] });
  });

  it('has the built-in models and those that the refresh has seen, each once', () => {
    const ids = everything.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...SEEN, 'smollm2-135m-instruct', 'whisper-tiny.en']));
  });
});

describe('the parameter "search"', () => {
  it('finds words in names and tags, all of them, whatever their case and order', async () => {
    expect(await catalog.ids({ search: 'TINY chat' })).toEqual([IMPORTED]);
    expect(await catalog.ids({ search: 'chat tiny' })).toEqual([IMPORTED]);
    expect(await catalog.ids({ search: 'conversational' })).toEqual(['acme--secret-chat', IMPORTED].toSorted());
    expect(await catalog.ids({ search: 'tiny nothing' })).toEqual([]);
  });

  it('takes them as texts, not as patterns', async () => {
    for (const search of ['.*', '^', '(', '[a-z]', '\\', '$where']) expect(await catalog.ids({ search })).toEqual([]);
  });

  it.each(['', '   ', 'x'.repeat(201)])('refuses %j', (search) => expectRefused({ search }, 'search'));
});

describe('the parameter "category"', () => {
  it.each(['chat', 'embedding', 'transcription'] as const)('%s shows those of the category', async (category) => {
    const found = await catalog.ids({ category });
    expect(found).toEqual(idsWhere((model) => model.category === category));
    expect(found.length).toBeGreaterThan(2);
  });

  it('that no model has shows none', async () => {
    expect(await catalog.ids({ category: 'reranking' })).toEqual([]);
  });

  it.each(['', 'poetry', 'Chat'])('refuses %j', (category) => expectRefused({ category }, 'category'));
});

describe('the parameter "pipelineTag"', () => {
  it.each(['text-generation', 'feature-extraction', 'automatic-speech-recognition'])(
    '%s shows those that carry the tag',
    async (pipelineTag) => {
      const found = await catalog.ids({ pipelineTag });
      expect(found).toEqual(idsWhere((model) => model.pipelineTag === pipelineTag));
      expect(found.length).toBeGreaterThan(1);
    },
  );

  it('that no model carries shows none', async () => {
    expect(await catalog.ids({ pipelineTag: 'no-such-task' })).toEqual([]);
  });

  it.each(['', 'x'.repeat(101)])('refuses %j', (pipelineTag) => expectRefused({ pipelineTag }, 'pipelineTag'));
});

describe('the parameter "format"', () => {
  it.each(['gguf', 'safetensors', 'ctranslate2'] as const)('%s shows those that come in it', async (format) => {
    const found = await catalog.ids({ format });
    expect(found).toEqual(idsWhere((model) => model.formats.includes(format)));
    expect(found.length).toBeGreaterThan(1);
  });

  it.each(['', 'onnx', 'GGUF'])('refuses %j', (format) => expectRefused({ format }, 'format'));
});

describe('the parameter "installed"', () => {
  it('true shows only installed models: not one whose download is under way, and not what another project has', async () => {
    expect(await catalog.ids({ installed: 'true' })).toEqual([]);
    await catalog.importRepo(CHAT_REPO.id);
    const { body: model } = await project.call<ModelDetail>(`/models/${IMPORTED}`);
    const profile = `/models/${IMPORTED}/profiles/${model.selectedProfileId}`;
    hub.faults.throttle(10_000);
    expect((await project.call(`${profile}/downloads`, { method: 'POST' })).status).toBe(202);
    expect(await catalog.ids({ installed: 'true' })).toEqual([]);
    hub.faults.throttle(0);
    await modelRuntimeOf(project).untilDownload(IMPORTED, 'completed', 30_000);
    expect(await catalog.ids({ installed: 'true' })).toEqual([IMPORTED]);
    expect((await catalog.page({ search: 'tiny-chat' })).models[0]).toMatchObject({ id: IMPORTED, installed: true });
    const other = catalogOf(await createTestProject('catalog of another'));
    expect(await other.ids({ installed: 'true' })).toEqual([]);
    expect((await project.call(profile, { method: 'DELETE' })).status).toBe(202);
    expect(await catalog.ids({ installed: 'true' })).toEqual([]);
  });

  it('false shows all', async () => {
    expect(await catalog.ids({ installed: 'false', limit: 100 })).toEqual(everything.map(({ id }) => id));
  });

  it.each(['', '1', 'yes', 'TRUE'])('refuses %j', (installed) => expectRefused({ installed }, 'installed'));
});

describe('the parameter "sort"', () => {
  const valueOf: Record<string, (model: CatalogModel) => string | number> = {
    name: ({ name }) => name.toLowerCase(),
    downloads: ({ downloads }) => downloads ?? -1,
    likes: ({ likes }) => likes ?? -1,
    updatedAt: ({ updatedAt }) => updatedAt ?? -1,
    size: ({ sizeBytes }) => sizeBytes ?? -1,
  };

  it.each(Object.keys(valueOf))('%s orders by it in both directions, unknown values as the smallest', async (field) => {
    const values = async (direction: string) => {
      const { models } = await catalog.page({ sort: `${field}:${direction}`, limit: 100 });
      return models.map((model) => valueOf[field]?.(model) ?? '');
    };
    const up = await values('asc');
    const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
    expect(up).toEqual(up.toSorted(compare));
    expect(new Set(up).size).toBeGreaterThan(2);
    expect(await values('desc')).toEqual(up.toReversed());
  });

  it('is by name where none is given', async () => {
    expect(await catalog.ids({ limit: 100 })).toEqual(await catalog.ids({ sort: 'name:asc', limit: 100 }));
  });

  it.each(['', 'name', 'name:', ':asc', 'name:up', 'size:ASC', 'author:asc', 'name:asc,size:asc'])(
    'refuses %j',
    (sort) => expectRefused({ sort }, 'sort'),
  );
});

describe('the parameter "limit"', () => {
  it.each([1, 5, 100])('%i is the most that a page has', async (limit) => {
    const page = await catalog.page({ limit });
    expect(page.models).toHaveLength(Math.min(limit, everything.length));
    expect(page.limit).toBe(limit);
  });

  it('is 20 where none is given', async () => {
    expect((await catalog.page()).limit).toBe(20);
  });

  it.each(['', '0', '101', '-1', '1.5', 'ten', '1e1'])('refuses %j, and does not clamp', (limit) =>
    expectRefused({ limit }, 'limit'),
  );
});

describe('the parameter "cursor"', () => {
  it.each([{ limit: 1 }, { limit: 4, sort: 'downloads:desc' }, { limit: 3, sort: 'size:asc', installed: 'false' }])(
    'goes on where the page before has ended: %j',
    async ({ limit, ...query }) => {
      expect(await catalog.walk({ ...query, limit })).toEqual(await catalog.ids({ ...query, limit: 100 }));
    },
  );

  it('goes with every filter at once', async () => {
    const query = {
      search: 'tiny',
      category: 'chat',
      pipelineTag: 'text-generation',
      format: 'gguf',
      sort: 'likes:asc',
    };
    const all = await catalog.ids({ ...query, installed: 'false', limit: 100 });
    expect(all.length).toBeGreaterThan(0);
    expect(await catalog.walk({ ...query, installed: 'false', limit: 1 })).toEqual(all);
  });

  it('is bound to filters, order and project, and authenticated', async () => {
    const { nextCursor } = await catalog.page({ limit: 1, category: 'chat' });
    const cursor = nextCursor ?? '';
    expect((await catalog.page({ limit: 100, category: 'chat', cursor })).models.length).toBeGreaterThan(0);
    const changed = [
      {},
      { category: 'embedding' },
      { category: 'chat', search: 'a' },
      { category: 'chat', pipelineTag: 'text-generation' },
      { category: 'chat', format: 'gguf' },
      { category: 'chat', installed: 'true' },
      { category: 'chat', sort: 'size:asc' },
    ];
    for (const query of changed) await expectInvalidCursor({ ...query, cursor });
    for (const bad of ['x', cursor.slice(0, -1), `${cursor}A`, flipped(cursor)]) {
      await expectInvalidCursor({ category: 'chat', cursor: bad });
    }
    const other = catalogOf(await createTestProject('cursor of another'));
    expect(await other.refused({ category: 'chat', cursor })).toMatchObject({ status: 400 });
    await expectRefused({ cursor: '' }, 'cursor');
  });
});

describe('a parameter that there is not, or that is given twice,', () => {
  it('is refused', async () => {
    await expectRefused({ page: 2 }, undefined);
    const { status, body } = await project.call('/models/catalog?format=gguf&format=safetensors');
    expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ path: 'query.format' }] } });
  });
});

function flipped(cursor: string): string {
  const middle = Math.floor(cursor.length / 2);
  return cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
}

async function expectRefused(query: Record<string, string | number>, name: string | undefined): Promise<void> {
  const answer = await catalog.refused(query);
  const path = name === undefined ? 'query' : `query.${name}`;
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', requestId: expect.any(String) } });
  expect(answer.body.details?.map((detail) => detail.path)).toEqual([path]);
}

async function expectInvalidCursor(query: Record<string, string>): Promise<void> {
  const { status, body } = await catalog.refused(query);
  expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'INVALID_CURSOR' });
}
