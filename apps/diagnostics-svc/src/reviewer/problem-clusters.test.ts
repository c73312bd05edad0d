import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clusterOf, newCluster, withProblem, type ClusterMeaning, type ToCluster } from './problem-clusters.ts';

/** Wordings of problems as different reviewers may give them: a hundred of one problem, and five each of twenty others. */
interface Wordings {
  same: { kind: string; title: string }[];
  different: { kind: string; title: string }[][];
}

interface Labelled extends ToCluster {
  label: string;
}

const file = join(import.meta.dirname, '../test-support/paraphrased-problems.json');
const wordings = JSON.parse(readFileSync(file, 'utf8')) as Wordings;
const labelled = (label: string, { kind, title }: Wordings['same'][number]): Labelled => ({
  ...{ label, kind, title, category: 'other', agent: 'support-bot', tool: null },
});
const same = wordings.same.map((each) => labelled('same', each));
const different = wordings.different.map((all, at) => all.map((each) => labelled(`other ${at}`, each)));

/** Clusters problems one after the other; returns the number of the cluster of each. */
function clustered(problems: readonly ToCluster[]): number[] {
  const clusters: ClusterMeaning[] = [];
  return problems.map((problem) => {
    const known = clusterOf(problem, clusters);
    if (known === undefined) return clusters.push(newCluster(problem)) - 1;
    const at = clusters.indexOf(known);
    clusters[at] = withProblem(known, problem);
    return at;
  });
}

/** B-cubed figures of a clustering (Bagga and Baldwin, 1998). */
function bCubedOf(problems: readonly Labelled[], numbers: readonly number[]) {
  let [precision, recall] = [0, 0];
  for (const [at, { label }] of problems.entries()) {
    const together = problems.filter((_, other) => numbers[other] === numbers[at]);
    const equal = together.filter((other) => other.label === label).length;
    precision += equal / together.length / problems.length;
    recall += equal / problems.filter((other) => other.label === label).length / problems.length;
  }
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const bCubed = (problems: readonly Labelled[]) => bCubedOf(problems, clustered(problems));

/** Wordings in an order in which each problem comes with the others in turn. */
const inTurns = different[0]!.flatMap((_, wording) => different.map((all) => all[wording]!));

describe('equal problems', () => {
  it('are one cluster where the reviewer uses the kind that it knows, whatever the title', () => {
    const [first] = same;
    expect(new Set(clustered(same.map((each) => ({ ...each, kind: ` ${first!.kind.toUpperCase()}` })))).size).toBe(1);
  });

  it('are fewer clusters by their words alone, and different ones are kept apart', () => {
    expect(new Set(clustered(same)).size).toBeLessThan(40);
    expect(bCubed([...inTurns, ...same]).precision).toBeGreaterThan(0.97);
  });

  it('are one cluster once a comparison has joined those that begin with the same problem', () => {
    const problems = [...inTurns, ...same];
    const first = new Map<number, string>();
    const numbers = clustered(problems);
    for (const [at, number] of numbers.entries()) if (!first.has(number)) first.set(number, problems[at]!.label);
    const labels = [...new Set(first.values())];
    expect(labels).toHaveLength(21);
    const joined = numbers.map((number) => labels.indexOf(first.get(number)!));
    expect(bCubedOf(problems, joined).f1).toBeGreaterThan(0.95);
  });

  it('are one cluster by their embeddings, and different ones as many as there are', () => {
    // Vectors as a good model gives them: near for the same problem, far for different ones.
    const embedded = (problem: Labelled, at: number): ToCluster => {
      const problemAt = problem.label === 'same' ? 20 : Number(problem.label.slice(6));
      const vector = Float32Array.from({ length: 64 }, (_, row) =>
        row === problemAt ? 0.97 : row === 21 + (at % 43) ? 0.243 : 0,
      );
      return { ...problem, embedding: { model: 'm', vector: Buffer.from(vector.buffer).toString('base64') } };
    };
    expect(new Set(clustered(same.map(embedded))).size).toBe(1);
    expect(new Set(clustered(inTurns.map(embedded))).size).toBe(20);
  });

  it('are never joined across models of embeddings by anything but words', () => {
    const [one] = same;
    const vector = Buffer.from(Float32Array.from([1, 0]).buffer).toString('base64');
    const cluster = newCluster({ ...one!, kind: 'a', title: 'b', embedding: { model: 'm', vector } });
    expect(clusterOf({ ...one!, embedding: { model: 'n', vector } }, [cluster])).toBeUndefined();
  });

  it('stay what they are whatever their words: a problem is in the cluster that it made', () => {
    const problem = fc.record({ kind: fc.string(), title: fc.string() });
    fc.assert(
      fc.property(fc.array(problem, { maxLength: 10 }), problem, (others, { kind, title }) => {
        fc.pre(/[a-z]{4}/.test(kind));
        const own: ToCluster = { kind, title, category: 'other', agent: null, tool: null };
        const clusters = others.map((each) => newCluster({ ...own, ...each }));
        const home = clusterOf(own, [...clusters, newCluster(own)]);
        expect(home).toBeDefined();
      }),
    );
  });
});
