import type { ProblemCategory } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import type { ToCluster } from './problem-clusters.ts';

type Named = Pick<ToCluster, 'category' | 'agent' | 'tool'>;

/** Names that a bucket of problems is made of; an unknown agent or tool is empty. */
export function namesOf({ category, agent, tool }: Named): [string, string, string] {
  return [category, agent ?? '', tool ?? ''];
}

/** Name of the bucket of problems of one category, agent and tool. */
export function bucketOf(problem: Named): string {
  return JSON.stringify(namesOf(problem));
}

/** Category, agent and tool of a bucket. */
export function namesIn(bucket: string): Named {
  const [category, agent = '', tool = ''] = readJson(bucket) as [ProblemCategory, string, string];
  return { category, agent: agent === '' ? null : agent, tool: tool === '' ? null : tool };
}
