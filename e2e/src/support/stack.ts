import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the end-to-end tests use of `stack.json` (design, section 11). */
export interface RunningStack {
  gatewayUrl: string;
  projectId: string;
  apiKey: string;
  otherProjectId: string;
  otherApiKey: string;
  /** All scopes, for all projects of the workspace. */
  adminApiKey: string;
  mongoUrl: string;
  amqpUrl: string;
  /** Where several processes of one run, each is among its instances. */
  services: Record<string, { url: string; pid: number; instances?: { url: string; pid: number | null }[] }>;
  servers: Record<string, { pid: number }>;
}

/** The home of the stack that `npm test` has started. */
export function stackHome(): string {
  const home = process.env['CLEW_HOME'];
  if (home === undefined) throw new Error('Set CLEW_HOME to the home of a running stack, or run "npm test"');
  return home;
}

/** What that stack says of itself, read anew each time: a restarted app has another process id. */
export function runningStack(): RunningStack {
  return JSON.parse(readFileSync(join(stackHome(), 'stack.json'), 'utf8')) as RunningStack;
}
