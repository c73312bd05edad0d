import { z } from 'zod';
import type { StackFile } from '../stack/stack-file.ts';

const Answer = z.object({ link: z.string() });
const TIMEOUT_MS = 10_000;

/**
 * Makes a link that signs the owner of the stack in, once and within ten minutes. Undefined if that is not possible: the
 * password does it as well.
 */
export async function signInLink({ gatewayUrl, adminApiKey, adminEmail }: StackFile): Promise<string | undefined> {
  if (adminApiKey === undefined || adminEmail === undefined) return undefined;
  try {
    const response = await fetch(`${gatewayUrl}/v1/auth/one-time-links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: adminEmail }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return Answer.safeParse(await response.json()).data?.link;
  } catch {
    return undefined;
  }
}
