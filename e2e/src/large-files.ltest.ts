import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DatasetImportReport } from '@clew/contracts';
import { createTestDataset } from './support/datasets.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MAX_PEAK_MIB = 285;
const LINES_IN_A_PIECE = 64;

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('large-files');
});

afterAll(() => {
  for (const app of ['gateway', 'datasets-svc']) process.stdout.write(`peak of ${app}: ${peakMib(app)} MiB\n`);
});

describe('a large file, through the gateway', () => {
  it('of 1 GiB with 10% bad lines is imported in bounded memory, each bad line counted, and exported again', async () => {
    const { path } = await createTestDataset(project);
    const { pieces, sent } = linesOf(GIB);
    const startedAtMs = performance.now();
    const report = await importInto(path, 'jsonl', pieces);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const bad = Math.floor(sent.lines / 10);
    expect(report).toMatchObject({ imported: sent.lines - bad, refusedCount: bad });
    expect(report.refused).toHaveLength(1_000);
    const exported = await measuredExport(path);
    process.stdout.write(`${JSON.stringify({ sentLines: sent.lines, importSeconds: seconds, ...exported })}\n`);
    expect(exported.lines).toBe(sent.lines - bad);
    for (const app of ['gateway', 'datasets-svc']) expect(peakMib(app)).toBeLessThan(MAX_PEAK_MIB);
  }, 1_800_000);

  it.each<[string, string, string[], number]>([
    [
      'one line of 100 MB',
      'jsonl',
      ['{"payload":{"input":{"type":"text","text":"', 'x', `"}}}\n${lineOf('good')}\n`],
      1,
    ],
    ['one CSV record of 100 MB within a quote', 'csv', ['input,tags\n"', 'some text\n', '",a\ngood,b\n'], 2],
  ])(
    'with %s is read to its end in bounded memory',
    async (_what, format, [head, filling, tail], refusedLine) => {
      const { path } = await createTestDataset(project);
      async function* pieces() {
        yield Buffer.from(head ?? '');
        for (let part = 0; part < 100; part += 1) yield Buffer.alloc(MIB, filling);
        yield Buffer.from(tail ?? '');
      }
      const report = await importInto(path, format, pieces());
      expect(report).toMatchObject({ imported: 1, refusedCount: 1, refused: [{ line: refusedLine }] });
      for (const app of ['gateway', 'datasets-svc']) expect(peakMib(app)).toBeLessThan(MAX_PEAK_MIB);
    },
    300_000,
  );
});

function urlOf(path: string): URL {
  return new URL(`/v1/projects/${project.id}${path}`, runningStack().gatewayUrl);
}

async function importInto(path: string, format: string, body: AsyncIterable<Buffer>): Promise<DatasetImportReport> {
  const response = await fetch(urlOf(`${path}/imports?format=${format}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${project.apiKey}`, 'content-type': 'application/octet-stream' },
    body: ReadableStream.from(body),
    duplex: 'half',
  } as RequestInit);
  const report = (await response.json()) as DatasetImportReport;
  expect({ status: response.status, report }).toMatchObject({ status: 200 });
  return report;
}

async function measuredExport(path: string) {
  const startedAtMs = performance.now();
  const headers = { authorization: `Bearer ${project.apiKey}` };
  const response = await fetch(urlOf(`${path}/export?format=jsonl`), { headers });
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return { lines, exportMegabytesPerSecond: bytes / 1000 / (performance.now() - startedAtMs) };
}

/** Peak memory of the process since its start, in MiB. */
function peakMib(app: string): number {
  const status = readFileSync(`/proc/${runningStack().services[app]?.pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}

function lineOf(text: string): string {
  return JSON.stringify({ payload: { input: { type: 'text', text } } });
}

/** Lines of about 1 KB; every tenth is unreadable. */
function linesOf(bytes: number) {
  const sent = { lines: 0 };
  async function* pieces() {
    for (let sentBytes = 0; sentBytes < bytes;) {
      const lines = Array.from({ length: LINES_IN_A_PIECE }, () => {
        sent.lines += 1;
        return sent.lines % 10 === 0 ? '{"payload":{"input":{"type":"te\n' : `${lineOf(wordsOf(sent.lines))}\n`;
      });
      const piece = Buffer.from(lines.join(''));
      sentBytes += piece.length;
      yield piece;
    }
  }
  return { pieces: pieces(), sent };
}

/** Word sequence that no other line has. */
function wordsOf(line: number): string {
  return Array.from({ length: 150 }, (_, at) => (Math.imul(line * 151 + at, 0x9e3779b1) >>> 8).toString(36)).join(' ');
}
