import { gguf } from '@huggingface/gguf';
import { downloadFile, listFiles, listModels, modelInfo, type ModelEntry } from '@huggingface/hub';
import { AppError } from '@clew/kernel';
import { type HttpClient, hubAway, openHubFile } from '@clew/model-runtime';
import { createHubFetch } from './hub-fetch.ts';
import { configFacts, ggufFacts, type ModelFacts } from './model-facts.ts';

/** Access with which the hub is read. */
export interface HubAccess {
  /** Project's own token. */
  token?: string | undefined;
  signal: AbortSignal;
}

export interface HubModel {
  repoId: string;
  private: boolean;
  gated: 'no' | 'auto' | 'manual';
  pipelineTag: string | null;
  library: string | null;
  license: string | null;
  tags: string[];
  downloads: number;
  likes: number;
  updatedAt: number;
}

export interface HubRepository extends HubModel {
  /** Commit that was read. */
  revision: string;
  parameterCount: number | null;
  /** Number of parameters of each type. */
  parametersByType: Readonly<Record<string, number>>;
}

export interface HubListedFile {
  path: string;
  sizeBytes: number;
  sha256: string | null;
}

export interface HubSearch {
  words?: string;
  pipelineTag?: string;
  tags?: string[];
  limit: number;
}

/** Reads a model hub through its own client library. All methods throw AppError. */
export interface HubClient {
  search(search: HubSearch, access: HubAccess): Promise<HubModel[]>;
  repository(repoId: string, access: HubAccess): Promise<HubRepository>;
  /** Lists the files of a revision, at most `limit`. */
  files(repoId: string, revision: string, limit: number, access: HubAccess): Promise<HubListedFile[]>;
  factsOfGguf(repoId: string, revision: string, path: string, access: HubAccess): Promise<ModelFacts>;
  factsOfConfig(repoId: string, revision: string, access: HubAccess): Promise<ModelFacts>;
  /** Throws GATED_REPOSITORY if the token does not open the file. */
  requireAccess(repoId: string, revision: string, path: string, access: HubAccess): Promise<void>;
}

export interface HubClientOptions {
  http: HttpClient;
  /** `HF_ENDPOINT`. */
  endpoint: URL;
  /** `HF_TOKEN`: reads public repositories for projects without their own token. */
  deploymentToken?: string | undefined;
  /** `HF_HUB_OFFLINE`. */
  offline?: boolean;
}

const FIELDS = ['tags', 'library_name', 'cardData'] as const;
const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 100;

export function createHubClient({ http, endpoint, deploymentToken, offline = false }: HubClientOptions): HubClient {
  const hubUrl = endpoint.href.replace(/\/$/, '');

  function common({ token, signal }: HubAccess) {
    if (offline) throw hubAway('This deployment is set not to use the model hub');
    return { hubUrl, fetch: createHubFetch({ http, endpoint, token: token ?? deploymentToken, signal }) };
  }

  function urlOf(repoId: string, revision: string, path: string): string {
    return `${hubUrl}/${repoId}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`;
  }

  const client: HubClient = {
    async search({ words, pipelineTag, tags, limit }, access) {
      const search = {
        ...(words === undefined ? {} : { query: words }),
        ...(pipelineTag === undefined ? {} : { task: pipelineTag as never }),
        ...(tags === undefined ? {} : { tags }),
      };
      const found: HubModel[] = [];
      const models = listModels({ ...common(access), search, limit, sort: 'downloads', additionalFields: [...FIELDS] });
      for await (const entry of models) found.push(hubModel(entry));
      return found.filter((model) => isVisible(model, access));
    },
    async repository(repoId, access) {
      const additionalFields = [...FIELDS, 'sha' as const, 'safetensors' as const];
      const entry = await modelInfo({ ...common(access), name: repoId, additionalFields });
      const model = hubModel(entry);
      if (!isVisible(model, access)) throw new AppError('MODEL_NOT_FOUND', 'The hub does not know the repository');
      const { total, parameters } = entry.safetensors ?? {};
      return { ...model, revision: entry.sha, parameterCount: total ?? null, parametersByType: parameters ?? {} };
    },
    async files(repoId, revision, limit, access) {
      const files: HubListedFile[] = [];
      for await (const entry of listFiles({ ...common(access), repo: repoId, revision, recursive: true })) {
        if (entry.type !== 'file') continue;
        files.push({ path: entry.path, sizeBytes: entry.lfs?.size ?? entry.size, sha256: entry.lfs?.oid ?? null });
        if (files.length === limit) break;
      }
      return files;
    },
    async factsOfGguf(repoId, revision, path, access) {
      const { fetch } = common(access);
      const { metadata } = await gguf(urlOf(repoId, revision, path), { fetch });
      return ggufFacts({ ...metadata });
    },
    async factsOfConfig(repoId, revision, access) {
      const blob = await downloadFile({ ...common(access), repo: repoId, revision, path: 'config.json', xet: false });
      if (blob === null || blob.size > MAX_CONFIG_BYTES) return configFacts(undefined);
      return configFacts(await blob.text());
    },
    async requireAccess(repoId, revision, path, { token, signal }) {
      if (offline) throw hubAway('This deployment is set not to use the model hub');
      const source = { kind: 'hub' as const, repoId, revision, path, gated: true };
      await openHubFile(source, { http, endpoint, token, sizeBytes: 0, signal });
    },
  };
  return readable(client);
}

/** Wraps the client: an error of the libraries other than our own means that they could not read the hub's answer. */
function readable(client: HubClient): HubClient {
  const guarded = Object.entries(client).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (call as (...given: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw hubAway('The model hub answered something that cannot be read', error);
      }
    },
  ]);
  return Object.fromEntries(guarded) as HubClient;
}

/** Whether the project may see a model; one that only the deployment's own token opens is hidden from projects. */
function isVisible(model: HubModel, { token }: HubAccess): boolean {
  return !model.private || token !== undefined;
}

interface AdditionalFields {
  tags?: string[];
  library_name?: string;
  cardData?: { license?: unknown };
}

function hubModel(entry: ModelEntry & AdditionalFields): HubModel {
  const { license } = entry.cardData ?? {};
  const updatedAt = entry.updatedAt.getTime();
  return {
    repoId: entry.name,
    private: entry.private,
    gated: entry.gated === false ? 'no' : entry.gated,
    pipelineTag: entry.task ?? null,
    library: entry.library_name ?? null,
    license: typeof license === 'string' ? license : null,
    tags: (entry.tags ?? []).filter((tag) => tag.length <= MAX_TAG_LENGTH).slice(0, MAX_TAGS),
    downloads: entry.downloads ?? 0,
    likes: entry.likes ?? 0,
    updatedAt: Number.isNaN(updatedAt) ? 0 : updatedAt,
  };
}
