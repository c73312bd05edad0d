import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../image/assemble.ts';

const K8S = join(ROOT, 'deploy/k8s');
const files = readdirSync(K8S, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

it.each(files)('%s says the same in YAML 1.1, which kubectl reads, and in 1.2', (file) => {
  const text = readFileSync(join(K8S, file), 'utf8');
  const [old, recent] = (['1.1', '1.2'] as const).map((version) =>
    parseAllDocuments(text, { version }).map((document) => document.toJS() as unknown),
  );
  expect(old).toEqual(recent);
});
