import type { Context, Verb } from '../command.ts';
import { readConfig, readCredentials, writeCredentials } from '../config/files.ts';
import { usageError } from '../exit.ts';

export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'logout', summary: 'revoke the key of a profile at the server, and forget it', isProjectless: true },
    ...{ example: 'logout', run: logout },
  },
];

async function logout(context: Context): Promise<void> {
  const { io, output, signal } = context;
  const name = context.text('profile') ?? io.env['CLEW_PROFILE'] ?? readConfig(io).current;
  const credential = name === undefined ? undefined : readCredentials(io)[name];
  const profile = name === undefined ? undefined : readConfig(io).profiles[name];
  if (name === undefined || credential === undefined || profile === undefined) {
    throw usageError('You are not signed in', 'clew login');
  }
  const { apiKey, keyId } = credential;
  if (keyId !== undefined) {
    const { Clew } = await import('@clew/sdk');
    const result = await new Clew({ baseUrl: profile.url, apiKey, maxRetries: 0 }).me.revokeKey({ signal }).result();
    // A key that is unknown or expired is as good as revoked.
    if (!result.ok && result.error.status !== 401) throw result.error;
  }
  forget(context, name);
  await output.note(
    keyId === undefined ? `Forgot the key of ${name}; it was not made here, and stays valid` : 'Revoked',
  );
}

/** Removes a credential; the profile keeps the address. */
function forget({ io }: Context, name: string): void {
  const { [name]: _, ...others } = readCredentials(io);
  writeCredentials(io, others);
}
