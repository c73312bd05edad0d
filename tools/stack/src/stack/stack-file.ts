import fs from 'node:fs';
import { z } from 'zod';
import { readJson, writeJson } from '../system/files.ts';
import { APP_FORMS } from './app-programs.ts';
import { createHome } from './home.ts';
import { Keys } from './secrets.ts';

const Instance = z.object({
  url: z.string(),
  /** Address of `/metrics`, for an application with a separate operations port. */
  operationsUrl: z.string().optional(),
  pid: z.number().int().nullable(),
});

/** Content of `stack.json`. Scripts outside the project rely on these names. */
export const StackFile = Keys.extend({
  gatewayUrl: z.string(),
  /** Address of the Workbench, if it is served. */
  workbenchUrl: z.string().optional(),
  mongoUrl: z.string(),
  amqpUrl: z.string(),
  /** Address of the management API with credentials, if the broker has one. */
  amqpManagementUrl: z.string().optional(),
  /** Form in which the applications run: from the sources of the checkout, or from what was built. */
  form: z.enum(APP_FORMS),
  /**
   * By application: `url` is its address for others, `pid` the first process; `instances` lists all if several can run.
   */
  services: z.record(z.string(), Instance.extend({ instances: z.array(Instance).optional() })),
  /** Servers that the stack itself started. */
  servers: z.record(z.string(), z.object({ pid: z.number().int().nullable() })),
  supervisorPid: z.number().int(),
  logsDirectory: z.string(),
});
export type StackFile = z.infer<typeof StackFile>;

/** Reads the description of the stack in a home directory; undefined if there is none. */
export function readStackFile(homeDirectory: string): StackFile | undefined {
  return readJson(createHome(homeDirectory).stackFile, StackFile);
}

/** Writes the description atomically; only the user can read it. */
export function writeStackFile(file: string, content: StackFile): void {
  writeJson(file, content);
}

/** Removes the description of a stack that no longer exists. */
export function removeStackFile(file: string): void {
  fs.rmSync(file, { force: true });
}
