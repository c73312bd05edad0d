import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const SCRIPT = join(import.meta.dirname, '../../../../deploy/k8s/make-secrets.mjs');

const Made = z.object({
  items: z.array(
    z.object({
      kind: z.enum(['Secret', 'ConfigMap']),
      metadata: z.object({ name: z.string(), namespace: z.string() }),
      data: z.record(z.string(), z.string()),
    }),
  ),
});

/** Files that the script has written into a folder. */
export interface MadeSecrets {
  readonly items: z.infer<typeof Made>['items'];
  readonly folder: string;
  /** Value by the name of its Secret or ConfigMap and its key; undefined if there is none. */
  value(name: string, key: string): string | undefined;
  /** Passwords of MongoDB users, by variable name. */
  readonly databasePasswords: Readonly<Record<string, string>>;
  /** Definitions for RabbitMQ. */
  readonly brokerDefinitions: unknown;
}

/** Runs the script that makes Secrets; `input` is its standard input. Throws if it refuses. */
export function makeSecrets(folder: string, args: readonly string[], input = ''): MadeSecrets {
  const given = ['--out', folder, '--namespace', 'clew-test', ...args];
  execFileSync(process.execPath, [SCRIPT, ...given], { input, stdio: ['pipe', 'ignore', 'pipe'], encoding: 'utf8' });
  return readSecrets(folder);
}

export function readSecrets(folder: string): MadeSecrets {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const { items } = Made.parse(JSON.parse(read('secrets.json')));
  return {
    ...{ items, folder, brokerDefinitions: JSON.parse(read('rabbitmq.json')) as unknown },
    databasePasswords: Object.fromEntries(
      read('mongodb.env')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    ),
    value(name, key) {
      const item = items.find(({ metadata }) => metadata.name === name);
      const value = item?.data[key];
      return value === undefined || item?.kind === 'ConfigMap' ? value : Buffer.from(value, 'base64').toString();
    },
  };
}
