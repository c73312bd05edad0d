import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { list } from '../list.ts';
import { IDEMPOTENCY_KEY, own } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { secretFrom } from '../secret-input.ts';

const COLUMNS: readonly Column<Api.Provider>[] = [
  column('NAME', ({ name }) => name),
  column('ADDRESS', ({ baseUrl }) => baseUrl),
  column('KEY', ({ hasApiKey }) => hasApiKey),
  column('PRICES', ({ prices }) => prices.length),
  column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
];

const OPTIONS = [own('--base-url <address>', 'its address'), own('--with-key', 'with a key that is piped in or typed')];

/** Verbs of providers of models. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the providers of models', columns: COLUMNS, example: 'providers list' },
    call: (clew, query) => clew.providers.list(query),
  }),
  {
    ...{
      name: 'create',
      summary: 'connect a provider of models',
      args: '<name>',
      options: [...OPTIONS, IDEMPOTENCY_KEY],
    },
    example: 'providers create openai --with-key',
    async run(context) {
      const clew = await context.client();
      const body = { name: context.arg(0), ...(await changeIn(context)) };
      const provider = await clew.providers.create(body, context.query());
      await context.output.rows([provider], COLUMNS, provider);
    },
  },
  {
    ...{ name: 'update', summary: 'change a provider, or its key', args: '<provider>', options: OPTIONS },
    example: 'providers update openai --base-url https://proxy.example.com/v1',
    async run(context) {
      const clew = await context.client();
      const { signal } = context;
      const provider = await clew.providers.update(context.arg(0), await changeIn(context), { signal });
      await context.output.rows([provider], COLUMNS, provider);
    },
  },
  {
    ...{ name: 'test', summary: 'ask a provider whether address and key are right', args: '<provider>' },
    example: 'providers test openai',
    async run(context) {
      const clew = await context.client();
      const test = await clew.providers.test(context.arg(0), { signal: context.signal });
      await context.output.record(test, [
        column('OK', ({ ok }) => ok),
        column('REASON', ({ reason }) => reason),
        column('TOOK MS', ({ latencyMs }) => latencyMs),
        column('MODELS', ({ models }) => ({ words: models })),
      ]);
      return test.ok ? 0 : 1;
    },
  },
  {
    ...{ name: 'delete', summary: 'forget a provider with its key', args: '<provider>', destroys: 'a provider' },
    example: 'providers delete openai',
    async run(context) {
      const clew = await context.client();
      await clew.providers.delete(context.arg(0), { signal: context.signal });
      await context.output.note(`Forgot ${context.arg(0)}`);
    },
  },
];

async function changeIn(context: Context): Promise<{ baseUrl?: string; apiKey?: string }> {
  const baseUrl = context.text('baseUrl');
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(context.flag('withKey') ? { apiKey: await secretFrom(context, 'Key of the provider') } : {}),
  };
}
