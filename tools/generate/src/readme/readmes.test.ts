import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { readEnvExample } from '@clew/testing';
import { routingKeyOf, SERVICE_NAMES, serviceDefinition, type MessageSpec, type ServiceName } from '@clew/contracts';
import { allMessages } from '@clew/contracts/all-messages';
import { allRoutes } from '@clew/contracts/all-routes';
import { generatedEnvExample } from '../env-example.ts';
import { readApps, ROOT } from './apps.ts';
import {
  collectionsOf,
  collectionsOfLibraries,
  heardBy,
  mountedBy,
  publishedBy,
  publishedInCodeOf,
  queuesOf,
} from './facts.ts';
import { tablesOf } from './markdown.ts';
import { generatedReadme, sectionsOf } from './readmes.ts';
import { ownerOf } from './sections.ts';
import { variablesOf } from './variables.ts';

const apps = await readApps();
const textOf = (readme: string) => readFileSync(join(ROOT, readme), 'utf8');

/** Names in the column with this title, over all tables of a README. */
function namesIn(readme: string, column: string): string[] {
  const names = tablesOf(textOf(readme)).flatMap(({ columns }) => columns.get(column) ?? []);
  return [...new Set(names)].sort();
}

it('a message that a later version has taken the place of is published by nobody', () => {
  const [first] = allMessages() as [MessageSpec];
  const [old, next] = [
    { ...first, superseded: true as const },
    { ...first, version: 2 },
  ];
  const [name] = first.publishedBy as [ServiceName];
  expect(publishedBy({ name }, [old, next])).toEqual([next]);
});

describe.each(apps)('the README of $name', (app) => {
  const { readme } = app;

  it('tells the configuration, each variable with words', () => {
    expect(sectionsOf(textOf(readme))).toContain('configuration');
    expect(variablesOf(app).filter(({ description }) => description === '')).toEqual([]);
  });

  it('tells the routes that it answers, which are those that it mounts', () => {
    const own = allRoutes().filter((spec) => ownerOf(spec) === app.name);
    const isTold = (section: string) => sectionsOf(textOf(readme)).includes(section);
    expect(isTold('routes')).toBe(own.some(({ access }) => access.kind === 'caller'));
    expect(isTold('internal routes')).toBe(own.some(({ access }) => access.kind === 'internal'));
    expect(mountedBy(app)).toEqual(own);
  });

  it('is as it is generated', async () => {
    expect(textOf(readme)).toBe(await generatedReadme(app, allRoutes()));
  });

  it('tells its collections, and no others', () => {
    const told = namesIn(readme, 'collection');
    expect(told.filter((name) => !collectionsOfLibraries().includes(name))).toEqual(collectionsOf(app));
  });

  it('tells the queues that it takes from, with their messages', () => {
    const queues = queuesOf(app);
    expect(namesIn(readme, 'queue')).toEqual(queues.map(({ name }) => name).sort());
    const messages = queues.map(({ message }) => message.type);
    expect(namesIn(readme, 'message')).toEqual([...new Set(messages)].sort());
  });

  it('tells what each replica hears, and what it publishes', () => {
    expect(namesIn(readme, 'hears')).toEqual(
      heardBy(app)
        .map(({ type }) => type)
        .sort(),
    );
    expect(namesIn(readme, 'publishes')).toEqual(
      publishedBy(app)
        .map(({ type }) => type)
        .sort(),
    );
  });

  it('publishes what the specs of messages say that it may, and nothing else', () => {
    const keys = (messages: readonly MessageSpec[]) => messages.map((message) => routingKeyOf(message)).toSorted();
    expect(keys(publishedInCodeOf(app))).toEqual(keys(publishedBy(app)));
  });

  it('has its variables in .env.example, with values that its schemas take', () => {
    const example = readEnvExample();
    expect(variablesOf(app).filter(({ name }) => !(name in example))).toEqual([]);
    expect(() => loadConfig(app.config, example)).not.toThrow();
  });
});

describe('.env.example', () => {
  it('gives each process a port of its own, and each address that port', () => {
    const ports = SERVICE_NAMES.map((name) => serviceDefinition(name).port);
    expect(new Set(ports).size).toBe(ports.length);
    expect(textOf('.env.example')).toBe(generatedEnvExample());
    const { port } = serviceDefinition('datasets-svc');
    expect(readEnvExample()).toMatchObject({ DATASETS_SVC_URL: `http://127.0.0.1:${port}` });
  });

  it('holds nothing that no app reads', () => {
    const read = new Set(apps.flatMap((app) => variablesOf(app).map(({ name }) => name)));
    expect(Object.keys(readEnvExample()).filter((name) => !read.has(name))).toEqual([]);
  });
});
