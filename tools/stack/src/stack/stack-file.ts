import fs from 'node:fs';
import { z } from 'zod';
import { readJson, writeJson } from '../system/files.ts';
import { createHome } from './home.ts';
import { Keys } from './secrets.ts';

const Instance = z.object({
  url: z.string(),
  /** The address of `/metrics`, of an application that tells it at a port of its own. */
  operationsUrl: z.string().optional(),
  pid: z.number().int().nullable(),
});

/** What `stack.json` holds. Scripts outside the project rely on these names. */
export const StackFile = Keys.extend({
  gatewayUrl: z.string(),
  mongoUrl: z.string(),
  amqpUrl: z.string(),
  /** The management API with credentials, where the broker has one. */
  amqpManagementUrl: z.string().optional(),
  /** By application: `url` is where others reach it, `pid` the first process; `instances` lists all where several can run. */
  services: z.record(z.string(), Instance.extend({ instances: z.array(Instance).optional() })),
  /** The servers that the stack itself started. */
  servers: z.record(z.string(), z.object({ pid: z.number().int().nullable() })),
  supervisorPid: z.number().int(),
  logsDirectory: z.string(),
});
export type StackFile = z.infer<typeof StackFile>;

/** Reads the description of the stack in a home directory; undefined when there is none. */
export function readStackFile(homeDirectory: string): StackFile | undefined {
  return readJson(createHome(homeDirectory).stackFile, StackFile);
}

/** Writes the description, so that only the user can read it and nobody sees half of it. */
export function writeStackFile(file: string, content: StackFile): void {
  writeJson(file, content);
}

/** Removes the description of a stack that is no more. */
export function removeStackFile(file: string): void {
  fs.rmSync(file, { force: true });
}
