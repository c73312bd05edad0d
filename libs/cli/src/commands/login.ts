import { hostname } from 'node:os';
import type { Api, Clew } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { readConfig, readCredentials, writeConfig, writeCredentials, type Credential } from '../config/files.ts';
import { settingsOf } from '../config/settings.ts';
import { mayAsk } from '../context.ts';
import { CliError, EXIT, usageError } from '../exit.ts';
import { own } from '../options.ts';
import { secretFrom } from '../secret-input.ts';
import { ME_FIELDS } from './whoami.ts';

const DEFAULT_PROFILE = 'default';
const SLOWER_MS = 5_000;

export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'login', summary: 'sign in: a person approves this machine in a browser', isProjectless: true },
    options: [
      own('--with-key', 'sign in with an API key that is piped in or typed'),
      own('--no-browser', 'open no browser'),
    ],
    example: 'login --url https://clew.example.com --profile work',
    run: login,
  },
];

async function login(context: Context): Promise<void> {
  const { io, output, signal } = context;
  const url = await urlOf(context);
  const credential = context.flag('withKey') ? await givenKey(context) : await approvedKey(context, url);
  const { Clew } = await import('@clew/sdk');
  const me = await new Clew({ baseUrl: url, apiKey: credential.apiKey }).me.get({ signal });
  const name = context.text('profile') ?? DEFAULT_PROFILE;
  const project = context.text('project') ?? onlyOne(me);
  const config = readConfig(io);
  config.profiles[name] = { url, ...(project === undefined ? {} : { project }) };
  writeConfig(io, { ...config, current: name });
  writeCredentials(io, { ...readCredentials(io), [name]: credential });
  await output.record(me, ME_FIELDS);
  await output.note(`Signed in to ${url} as profile ${name}`);
  if (project === undefined) await output.note('Choose a project: clew projects list, clew projects use <id or name>');
}

function onlyOne({ projectIds }: Api.Me): string | undefined {
  return projectIds !== 'all' && projectIds.length === 1 ? projectIds[0] : undefined;
}

/** Returns the address: what is given, what is in use, or what a person types. */
async function urlOf(context: Context): Promise<string> {
  const { io, options } = context;
  const given = context.text('url') ?? io.env['CLEW_URL'] ?? knownUrl(context);
  if (given !== undefined && given !== '') return given;
  const typed = mayAsk({ ...context, options }) ? await io.ask('Address of the deployment') : undefined;
  if (typed === undefined || typed === '') throw usageError('Name the deployment', '--url https://clew.example.com');
  return typed;
}

function knownUrl({ io, options }: Context): string | undefined {
  const name = options['profile'] as string | undefined;
  const { current, profiles } = readConfig(io);
  const profile = profiles[name ?? current ?? DEFAULT_PROFILE];
  if (profile !== undefined || name !== undefined) return profile?.url;
  try {
    return settingsOf(io, {}).url;
  } catch {
    return undefined;
  }
}

async function givenKey(context: Context): Promise<Credential> {
  const apiKey = await secretFrom(context, 'API key');
  if (!/^[\w-]{8,512}$/.test(apiKey))
    throw usageError('That is no API key', 'Pipe one in: clew login --with-key < key');
  return { apiKey };
}

/** Asks for a key in the way of RFC 8628: a person compares the code and approves it. */
async function approvedKey(context: Context, url: string): Promise<Credential> {
  const { io, output, signal } = context;
  const { Clew } = await import('@clew/sdk');
  // Without a key, also where the environment has one: it is for another place.
  const clew = new Clew({ baseUrl: url, credentials: 'same-origin', maxRetries: 0 });
  const started = await clew.auth.devices.start({ name: hostname().slice(0, 100) || 'clew' }, { signal });
  await io.stderr.write(`Code: ${started.userCode}\nApprove it at ${started.verificationUriComplete}\n`);
  if (context.options['browser'] !== false && mayAsk(context)) await io.browse(started.verificationUriComplete);
  const { apiKey, secret } = await takeKey(context, clew, started);
  await output.note('Approved');
  return { apiKey: secret, keyId: apiKey.id };
}

async function takeKey(
  { io, signal }: Context,
  clew: Clew,
  { deviceCode, intervalSeconds, expiresInSeconds }: Api.StartDeviceResponse,
): Promise<Api.GetDeviceTokenResponse> {
  let intervalMs = intervalSeconds * 1_000;
  const until = io.now() + expiresInSeconds * 1_000;
  while (io.now() <= until) {
    await io.pause(intervalMs, signal);
    const result = await clew.auth.devices.token({ deviceCode }, { signal }).result();
    if (result.ok) return result.data;
    if (result.error.code === 'ACCESS_DENIED') {
      throw new CliError('It was denied', { exitCode: EXIT.notAllowed });
    }
    if (result.error.code === 'SLOW_DOWN') intervalMs += SLOWER_MS;
    else if (result.error.code === 'EXPIRED_TOKEN') break;
    else if (result.error.code !== 'AUTHORIZATION_PENDING') throw result.error;
  }
  throw new CliError('The code has expired', { exitCode: EXIT.notAllowed, hint: 'Once more: clew login' });
}
