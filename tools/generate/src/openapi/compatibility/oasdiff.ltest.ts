import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../document.ts';
import { breaksOf, type ApiDescription } from './document-breaks.ts';

const MODULE = 'github.com/oasdiff/oasdiff@v1.37.0';
const BUILD_TIMEOUT_MS = 600_000;
const FOLDER = join(import.meta.dirname, '../../../../../docs/openapi');
const RELEASED = readdirSync(FOLDER).filter((name) => /^v\d+\.\d+\.\d+\.json$/.test(name));
const run = promisify(execFile);
const current = JSON.stringify(openApiDocument());

/** Findings of oasdiff that break nobody, by released document. */
const EXPLAINED: Readonly<Record<string, readonly RegExp[]>> = {
  'v0.1.0.json': [
    // Answers may name more values and more kinds of things than before: callers have to expect that.
    /^response-property-(?:enum-value-added|one-of-added) /,
    // A value that was always the same is one of several now.
    /^response-property-const-removed getHealthSignals .*`not_mounted`/,
    // Described before as "The primary work item, or null".
    /^response-property-any-of-added \w+ .*`(?:findings\/items\/)?workItem`/,
    // A number all along, which was described as a text.
    /^request-parameter-(?:type-changed|min-set|max-set) \w+ .*`minDiagnosticScore`/,
    // One of a few short words before, some of them with commas between them now.
    /^request-parameter-max-length-set \w+ .*`(?:severity|reviewStatus|resolutionStatus)`/,
  ],
};

let folder: string;
let program: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clew-oasdiff-'));
  program = process.env['OASDIFF'] ?? join(folder, 'oasdiff');
  if (process.env['OASDIFF'] === undefined) {
    execFileSync('go', ['install', MODULE], { env: { ...process.env, GOBIN: folder }, stdio: 'ignore' });
  }
}, BUILD_TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Breaking changes that oasdiff finds, one sentence each. */
async function foundByOasdiff(before: string, after: string): Promise<string[]> {
  const [base, revision] = [join(folder, 'before.json'), join(folder, 'after.json')];
  writeFileSync(base, before);
  writeFileSync(revision, after);
  const { stdout } = await run(program, ['breaking', base, revision, '--format', 'json'], { maxBuffer: 64 << 20 });
  const changes = JSON.parse(stdout) as { id: string; operationId?: string; text: string }[];
  return changes.map(({ id, operationId, text }) => `${id} ${operationId} ${text}`);
}

describe.each(RELEASED)('docs/openapi/%s', (name) => {
  it('is kept also in the eyes of oasdiff, but for what breaks nobody', async () => {
    const found = await foundByOasdiff(readFileSync(join(FOLDER, name), 'utf8'), current);
    const explained = EXPLAINED[name] ?? [];
    expect(found.filter((each) => !explained.some((pattern) => pattern.test(each)))).toEqual([]);
  });
});

type Node = Record<string, unknown>;

/** Part of a document at a path of names. */
function at(document: Node, ...path: string[]): Node {
  return path.reduce<Node>((node, name) => node[name] as Node, document);
}

const FINDINGS = ['paths', '/v1/projects/{projectId}/diagnostics/findings', 'get'];
const DATASETS = ['paths', '/v1/projects/{projectId}/datasets', 'post'];
const DATASET_BODY = [...DATASETS, 'requestBody', 'content', 'application/json', 'schema'];

function parameter(document: Node, name: string): Node {
  const all = at(document, ...FINDINGS)['parameters'] as Node[];
  return all.find((each) => each['name'] === name)!['schema'] as Node;
}

/** Schema of a body, or the shared one that it refers to. */
function datasetBody(document: Node): Node {
  const schema = at(document, ...DATASET_BODY);
  const ref = schema['$ref'] as string | undefined;
  return ref === undefined ? schema : at(document, ...ref.slice(2).split('/'));
}

describe('what both take for a break', () => {
  it.each<[string, (document: Node) => void]>([
    ['an operation that is gone', (document) => delete at(document, ...FINDINGS.slice(0, 2))['get']],
    [
      'a member of an answer that is gone',
      (document) => delete at(document, 'components', 'schemas', 'Finding', 'properties')['title'],
    ],
    [
      'a member of an answer of another type',
      (document) => (at(document, 'components', 'schemas', 'Finding', 'properties')['title'] = { type: 'integer' }),
    ],
    [
      'a member of an answer that may be absent',
      (document) => (at(document, 'components', 'schemas', 'Finding')['required'] = []),
    ],
    [
      'a kind of content that is gone',
      (document) =>
        delete at(document, 'paths', '/v1/audit/export', 'get', 'responses', '200', 'content')['application/jsonl'],
    ],
    ['a query parameter with a lower maximum', (document) => (parameter(document, 'limit')['maximum'] = 10)],
    ['a query parameter of another type', (document) => (parameter(document, 'limit')['type'] = 'boolean')],
    [
      'a text that may not be as long as before',
      (document) => (at(datasetBody(document), 'properties', 'name')['maxLength'] = 3),
    ],
    [
      'a member that must be sent now',
      (document) => (datasetBody(document)['required'] = Object.keys(at(datasetBody(document), 'properties'))),
    ],
    [
      'a body that must be sent now',
      (document) =>
        (at(document, 'paths', '/v1/projects/{projectId}/models/engines/{engine}/installations', 'post', 'requestBody')[
          'required'
        ] = true),
    ],
  ])('%s', async (_what, change) => {
    const later = JSON.parse(current) as Node;
    change(later);
    const before = JSON.parse(current) as ApiDescription;
    expect(breaksOf(before, later as unknown as ApiDescription)).not.toEqual([]);
    expect(await foundByOasdiff(current, JSON.stringify(later))).not.toEqual([]);
  });
});

it('what an item of a stream lacks is found by the own check alone', async () => {
  const later = JSON.parse(current) as Node;
  const content = at(later, 'paths', '/v1/audit/export', 'get', 'responses', '200', 'content', 'application/jsonl');
  content['x-itemSchema'] = { type: 'object', properties: {} };
  expect(breaksOf(JSON.parse(current) as ApiDescription, later as unknown as ApiDescription)).not.toEqual([]);
  expect(await foundByOasdiff(current, JSON.stringify(later))).toEqual([]);
});
