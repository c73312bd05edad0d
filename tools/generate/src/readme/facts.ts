import * as contracts from '@clew/contracts';
import { allMessages } from '@clew/contracts/all-messages';
import { allRoutes } from '@clew/contracts/all-routes';
import type { MessageSpec, RouteSpec } from '@clew/contracts';
import { QUEUES, runtimeCommandsQueue, type QueueSpec } from '@clew/messaging';
import { readSources, type AppFacts } from './apps.ts';

/** Libraries with collections that an app owns and others use. */
const SHARED_COLLECTIONS: Readonly<Record<string, string>> = { 'model-runtime-svc': 'libs/model-runtime/src' };

/** Collections of an app, as named in its models. */
export function collectionsOf({ name, sources }: AppFacts): string[] {
  const shared = SHARED_COLLECTIONS[name];
  return namesOfCollections(shared === undefined ? sources : [...sources, ...readSources(shared)]);
}

/** Collections that libraries keep in the database of each app that uses them. */
export function collectionsOfLibraries(): string[] {
  return namesOfCollections(readSources('libs/persistence/src'));
}

const NAMED_COLLECTION =
  /\bcollection: (?:'(\w+)'|([A-Z][A-Z_]+))|\.collection(?:<[^>]*>)?\((?:'(\w+)'|([A-Z][A-Z_]+))\)/g;
const CONSTANT = /\bconst ([A-Z][A-Z_]+) = '(\w+)'/g;

function namesOfCollections(sources: readonly string[]): string[] {
  const text = sources.join('\n');
  const constants = new Map([...text.matchAll(CONSTANT)].map(([, name, value]) => [name, value]));
  const names = [...text.matchAll(NAMED_COLLECTION)].map(
    ([, literal, constant, native, named]) => literal ?? native ?? constants.get(constant ?? named),
  );
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Routes that an app mounts, found by the names of their specs in its code. */
export function mountedBy({ sources }: AppFacts): RouteSpec[] {
  const names = new Set([...sources.join('\n').matchAll(/\broute\(\s*(\w+),/g)].map(([, name]) => name));
  const exported = namesOfExports();
  return allRoutes().filter((spec) => names.has(exported.get(spec)));
}

/** Queues that an app consumes, with their messages. */
export function queuesOf(app: AppFacts): QueueSpec[] {
  const queues: QueueSpec[] = [...Object.values(QUEUES), runtimeCommandsQueue('<node>')];
  return queues.filter(({ consumer, retired }) => consumer === app.name && retired !== true);
}

/** Messages that an app publishes according to their specs. */
export function publishedBy(
  app: Pick<AppFacts, 'name'>,
  messages: readonly MessageSpec[] = allMessages(),
): MessageSpec[] {
  const current = messages.filter(({ superseded }) => superseded !== true);
  return current.filter((message) => message.publishedBy.some((service) => service === app.name));
}

/** Messages that the code of an app names in order to publish them, without those it subscribes to. */
export function publishedInCodeOf({ sources }: AppFacts): MessageSpec[] {
  const text = sources
    .join('\n')
    .replace(/^import [\s\S]*?;$/gm, '')
    .replace(/\btypeof \w+|\bspec: \w+|\bQUEUES\.\w+/g, '');
  return messagesNamedIn(text);
}

/** Functions of libraries that subscribe to a broadcast for the app that calls them. */
const HEARD_IN_LIBRARIES: Readonly<Record<string, string>> = { watchPrivateProjects: 'privacyChanged' };

/** Table that names, by their types, the messages of which an app makes something for its callers. */
const READINGS = /^const READINGS\b[\s\S]*?^\};/m;
const READING = /^ {2}'([\w.-]+)': \(/gm;

/** Broadcast messages that each replica of an app receives on its own queue. */
export function heardBy({ sources }: AppFacts): MessageSpec[] {
  const text = sources.join('\n');
  const read = new Set([...(READINGS.exec(text)?.[0] ?? '').matchAll(READING)].map(([, type]) => type));
  const heard = [...text.matchAll(/\bsubscribeBroadcast\([^;]*?\bspec: (\w+)/g)].map(([, name]) => name);
  const inLibraries = Object.entries(HEARD_IN_LIBRARIES).filter(([name]) => text.includes(`${name}(`));
  const subscribed = messagesNamedIn([...heard, ...inLibraries.map(([, message]) => message)].join('\n'));
  return allMessages().filter((message) => read.has(message.type) || subscribed.includes(message));
}

function messagesNamedIn(text: string): MessageSpec[] {
  const words = new Set(text.match(/\w+/g));
  const exported = namesOfExports();
  return allMessages().filter((message) => words.has(exported.get(message) ?? ''));
}

function namesOfExports(): ReadonlyMap<unknown, string> {
  return new Map(Object.entries(contracts).map(([name, value]) => [value, name]));
}
