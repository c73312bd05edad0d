import { newId } from '@clew/kernel';
import type { ApiRequest } from './api.ts';
import { CHAT_V1 } from './datasets.ts';
import type { TestProject } from './test-project.ts';

/** Resources that the load creates repeatedly, by the name of the list that returns them. */
const MADE = {
  datasets: { path: '/datasets', body: (name: string) => ({ name, schema: CHAT_V1 }) },
  goals: { path: '/knowledge/goals', body: (name: string) => ({ name, instruction: 'Learn facts' }) },
  providers: { path: '/models/providers', body: (name: string) => ({ name, baseUrl: 'http://127.0.0.1:9/v1' }) },
} as const;
type Made = keyof typeof MADE;

const READ = ['/conversations?limit=5', '/diagnostics/findings?limit=5', '/models/providers', '/diagnostics/rules'];

export interface LoadReport {
  requests: number;
  /** Requests repeated because their connection ended, as HTTP allows for idempotent requests. */
  repeated: number;
  /** Requests without a successful answer. */
  failed: string[];
  names: Record<Made, string[]>;
}

/** Sends requests in several parallel loops until it is stopped; each resource is created twice with the same key. */
export function startSteadyLoad(project: TestProject): { stop(): Promise<LoadReport> } {
  const report: LoadReport = {
    requests: 0,
    repeated: 0,
    failed: [],
    names: { datasets: [], goals: [], providers: [] },
  };
  let isOver = false;

  async function ask(path: string, request: ApiRequest = {}): Promise<unknown> {
    report.requests += 1;
    const answer = () => project.call<unknown>(path, request);
    const { status, body } = await answer().catch(() => {
      report.repeated += 1;
      return answer();
    });
    if (status >= 300) report.failed.push(`${request.method ?? 'GET'} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async function read(): Promise<void> {
    while (!isOver) for (const path of READ) await ask(path);
  }

  async function make(what: Made): Promise<void> {
    while (!isOver) {
      const name = `${what}-${report.names[what].length}`;
      const key = { 'idempotency-key': newId('req') };
      const { path, body } = MADE[what];
      const [first, second] = [
        await ask(path, { method: 'POST', headers: key, body: body(name) }),
        await ask(path, { method: 'POST', headers: key, body: body(name) }),
      ];
      if (JSON.stringify(first) !== JSON.stringify(second)) report.failed.push(`${path}: two answers for one key`);
      report.names[what].push(name);
    }
  }

  const loops = Promise.all([read(), ...(Object.keys(MADE) as Made[]).map(make)]);
  return {
    async stop() {
      isOver = true;
      await loops;
      return report;
    },
  };
}

/** Names of all resources of a kind, sorted. */
export async function namesOf(project: TestProject, what: Made): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await project.call<Record<string, unknown>>(`${MADE[what].path}?limit=100${query}`);
    names.push(...(body[what] as { name: string }[]).map(({ name }) => name));
    cursor = body['nextCursor'] as string | null;
  }
  return names.toSorted();
}
