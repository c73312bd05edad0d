import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { createWords } from '../duplicates/test-support/words.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
/** Sender, service and test runner are one process here. */
const MAX_GROWTH_BYTES = 300 * MIB;

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

describe('a large file', () => {
  it('of 1 GiB with 10% bad lines is imported in constant memory, and each bad line is counted', async () => {
    const { path } = await service.newDataset();
    const { chunks, sent } = linesOf(GIB);
    const { figures, result } = await measured(() => service.transfers.upload(`${path}/imports?format=jsonl`, chunks));
    report('import of 1 GiB', { ...figures, lines: sent.lines, linesPerSecond: sent.lines / figures.seconds });
    const bad = Math.floor(sent.lines / 10);
    expect(result).toMatchObject({ status: 200, report: { imported: sent.lines - bad, refusedCount: bad } });
    expect(result.report.refused).toHaveLength(1_000);
    expect(figures.growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
    const download = await measured(() => service.transfers.pass(`${path}/export?format=jsonl`));
    const megabytesPerSecond = download.result / download.figures.seconds / 1e6;
    report('export of it', { ...download.figures, bytes: download.result, megabytesPerSecond });
    expect(download.figures.growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  }, 1_800_000);

  it('whose one line has 100 MB is read to its end in constant memory', async () => {
    const { path } = await service.newDataset();
    async function* chunks() {
      yield Buffer.from('{"payload":{"input":{"type":"text","text":"');
      for (let part = 0; part < 100; part += 1) yield Buffer.alloc(MIB, 'x');
      yield Buffer.from(`"}}}\n${lineOf('good')}`);
    }
    const upload = () => service.transfers.upload(`${path}/imports?format=jsonl`, chunks());
    const { figures, result } = await measured(upload);
    report('a line of 100 MB', figures);
    expect(result.report).toMatchObject({ imported: 1, refusedCount: 1, refused: [{ line: 1 }] });
    expect(figures.growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  }, 120_000);

  it('that is one CSV record of 100 MB within a quote is read to its end in constant memory', async () => {
    const { path } = await service.newDataset();
    async function* chunks() {
      yield Buffer.from('input,tags\n"');
      for (let part = 0; part < 100; part += 1) yield Buffer.alloc(MIB, 'some text\n');
      yield Buffer.from('",a\ngood,b\n');
    }
    const upload = () => service.transfers.upload(`${path}/imports?format=csv`, chunks());
    const { figures, result } = await measured(upload);
    report('a CSV record of 100 MB', figures);
    expect(result.report).toMatchObject({ imported: 1, refusedCount: 1, refused: [{ line: 2 }] });
    expect(figures.growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  }, 120_000);
});

function lineOf(text: string): string {
  return JSON.stringify({ payload: { input: { type: 'text', text } } });
}

/** Lines of about 1 KB, of which each tenth cannot be read. */
function linesOf(bytes: number) {
  const words = createWords(1);
  const sent = { lines: 0 };
  async function* chunks() {
    let sentBytes = 0;
    while (sentBytes < bytes) {
      let text = '';
      while (text.length < 64 * 1024) {
        sent.lines += 1;
        text += sent.lines % 10 === 0 ? '{"payload":{"input":{"type":"te\n' : `${lineOf(words.text(190))}\n`;
      }
      sentBytes += text.length;
      yield Buffer.from(text);
    }
  }
  return { chunks: chunks(), sent };
}

async function measured<Result>(work: () => Promise<Result>) {
  const startedAtMs = performance.now();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  const result = await work().finally(() => clearInterval(watch));
  return { result, figures: { seconds: (performance.now() - startedAtMs) / 1000, growthBytes: most - before } };
}

function report(name: string, figures: object): void {
  process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
}
