import { z } from 'zod';
import type { Need } from '../access/recipes.ts';
import { PUBLIC_KEYS_NAME } from './pod.ts';

const PUBLIC_KEYS: Need = { kind: 'ConfigMap', name: PUBLIC_KEYS_NAME, key: 'public-keys.json' };

const SecretKey = z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) });
const SecretFiles = z.object({
  secret: z
    .object({ items: z.array(z.object({ key: z.string() })) })
    .and(
      z.union([
        z.object({ name: z.string() }),
        z.object({ secretName: z.string() }).transform(({ secretName: name }) => ({ name })),
      ]),
    ),
});

/** All values that the objects need from an installation, each once, ordered by name. */
export function needsOf(objects: readonly unknown[]): Need[] {
  const found = new Map<string, Need>();
  const look = (value: unknown) => {
    for (const need of directNeedsOf(value)) found.set(`${need.name}/${need.key}`, need);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  objects.forEach(look);
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, need]) => need);
}

function directNeedsOf(value: unknown): Need[] {
  if (typeof value !== 'object' || value === null) return [];
  const variable = SecretKey.safeParse(value).data?.secretKeyRef;
  if (variable !== undefined) return [{ kind: 'Secret', ...variable }];
  const files = SecretFiles.safeParse(value).data?.secret;
  if (files !== undefined) return files.items.map(({ key }) => ({ kind: 'Secret', name: files.name, key }));
  const isPublic = z.object({ configMap: z.object({ name: z.literal(PUBLIC_KEYS_NAME) }) }).safeParse(value).success;
  return isPublic ? [PUBLIC_KEYS] : [];
}
