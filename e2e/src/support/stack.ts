import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Part of `stack.json` that the end-to-end tests use (design, section 11). */
export interface RunningStack {
  gatewayUrl: string;
  projectId: string;
  apiKey: string;
  otherProjectId: string;
  otherApiKey: string;
  /** Key with all scopes, for all projects of the workspace. */
  adminApiKey: string;
  /** Owner of the workspace, who can sign in. */
  adminEmail: string;
  adminPassword: string;
  logsDirectory: string;
  mongoUrl: string;
  amqpUrl: string;
  /** Running services; with several processes of one service, `instances` lists them all. */
  services: Record<string, { url: string; pid: number; instances?: { url: string; pid: number | null }[] }>;
  servers: Record<string, { pid: number }>;
}

/** Home of the stack that `npm test` has started. */
export function stackHome(): string {
  const home = process.env['CLEW_HOME'];
  if (home === undefined) throw new Error('Set CLEW_HOME to the home of a running stack, or run "npm test"');
  return home;
}

/** Current state of that stack, read on each call: a restarted app has a new process id. */
export function runningStack(): RunningStack {
  return JSON.parse(readFileSync(join(stackHome(), 'stack.json'), 'utf8')) as RunningStack;
}
