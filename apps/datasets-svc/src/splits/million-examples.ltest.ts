import { expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { createWords } from '@clew/similarity/test-support';
import { exampleSignature, type ExampleTraits } from '../examples/index.ts';
import { SplitGroups } from './split-groups.ts';

const COUNT = 1_000_000;
const PAGE = 5_000;
const DISTINCT = 20_000;

it('splits of a million Examples take under 200 MB beside the test runner', async () => {
  const words = createWords(1);
  const signatures = Array.from({ length: DISTINCT }, () =>
    exampleSignature({ input: { type: 'text', text: words.text(20) } }),
  );
  /** Builds a distinct signature for each index, far enough from the others not to be a near duplicate. */
  const signatureOf = (index: number) => {
    const bytes = (signatures[index % DISTINCT] as Uint8Array).slice();
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] as number) ^ ((index / DISTINCT) * (at + 1));
    return bytes;
  };
  const ids: string[] = [];
  async function* pages() {
    for (let start = 0; start < COUNT; start += PAGE) {
      yield Array.from({ length: PAGE }, (_, offset): ExampleTraits => {
        const id = newId('ex');
        if (ids.length < 1_000) ids.push(id);
        return { id, signature: signatureOf(start + offset), conversationId: `conversation-${(start + offset) >> 1}` };
      });
    }
  }
  const before = process.memoryUsage();
  let mostBuffers = 0;
  let mostRss = 0;
  const watch = setInterval(() => {
    const { arrayBuffers, rss } = process.memoryUsage();
    mostBuffers = Math.max(mostBuffers, arrayBuffers - before.arrayBuffers);
    mostRss = Math.max(mostRss, rss - before.rss);
  }, 20);
  const startedAtMs = performance.now();
  const groups = await SplitGroups.of(pages(), COUNT);
  clearInterval(watch);
  const seconds = (performance.now() - startedAtMs) / 1000;
  process.stdout.write(`splits of a million: ${JSON.stringify({ seconds, mostBuffers, mostRss })}\n`);
  expect(groups.length).toBe(COUNT);
  expect(mostBuffers).toBeLessThan(200 * 1024 ** 2);
  for (const id of ids) expect(groups.splitOf(id, [80, 10, 10])).toBeDefined();
}, 300_000);
