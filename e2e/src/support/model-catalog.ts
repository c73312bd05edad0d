import type { CatalogPage, ModelDetail, RuntimeSnapshot } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import type { TestProject } from './test-project.ts';

export interface CatalogAnswer {
  runtime: RuntimeSnapshot;
  page: CatalogPage;
}

/** Catalog of a project, read through the gateway. */
export function catalogOf(project: TestProject) {
  async function page(query: Record<string, string | number> = {}): Promise<CatalogPage> {
    const { status, body } = await project.call<CatalogAnswer>(`/models/catalog${queryOf(query)}`);
    if (status !== 200) throw new Error(`The catalog answered ${status}: ${JSON.stringify(body)}`);
    return body.page;
  }
  return {
    page,
    ids: async (query: Record<string, string | number> = {}) => (await page(query)).models.map(({ id }) => id),
    /** Ids of all pages, in order. */
    async walk(query: Record<string, string | number>): Promise<string[]> {
      const walked: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { models, nextCursor }: CatalogPage = await page({ ...query, ...(cursor === '' ? {} : { cursor }) });
        walked.push(...models.map(({ id }) => id));
        cursor = nextCursor;
      }
      return walked;
    },
    refused: (query: Record<string, string | number>) => project.call<ErrorBody>(`/models/catalog${queryOf(query)}`),
    refresh: (search?: string) =>
      project.call<{ hub: CatalogPage['hub']; discoveredCount: number }>('/models/catalog-refreshes', {
        body: search === undefined ? {} : { search },
      }),
    importRepo: <Body = ModelDetail>(repoId: unknown) =>
      project.call<Body>('/models/imports/hub', { body: { repoId } }),
  };
}

function queryOf(query: Record<string, string | number>): string {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return text === '' ? '' : `?${text}`;
}
