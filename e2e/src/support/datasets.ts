import type { Dataset, Example } from '@clew/contracts';
import type { TestProject } from './test-project.ts';

export const CHAT_V1 = { type: 'chat', version: 1 } as const;

/** Dataset of a project, and its path below the project. */
export interface TestDataset {
  dataset: Dataset;
  path: string;
}

export async function createTestDataset(project: TestProject, fields: object = {}): Promise<TestDataset> {
  const body = { name: 'tested', schema: CHAT_V1, ...fields };
  const { status, body: dataset } = await project.call<Dataset>('/datasets', { body });
  if (status !== 201) throw new Error(`The Dataset was refused: ${status} ${JSON.stringify(dataset)}`);
  return { dataset, path: `/datasets/${dataset.id}` };
}

export function manualExample(text: string, source: object = {}) {
  return {
    source: { kind: 'manual', externalRef: 'case-1', ...source },
    payload: { input: { type: 'text', text } },
  };
}

/** Texts of Examples with text inputs, sorted. */
export function textsOf(examples: readonly Example[]): string[] {
  return examples.map(({ payload }) => (payload.input as { text: string }).text).toSorted();
}

export async function allExamples(project: TestProject, path: string, query = ''): Promise<Example[]> {
  const found: Example[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await project.call<{ examples: Example[]; nextCursor: string | null }>(
      `${path}/examples?limit=1000${query}${more}`,
    );
    found.push(...body.examples);
    cursor = body.nextCursor;
  }
  return found;
}
