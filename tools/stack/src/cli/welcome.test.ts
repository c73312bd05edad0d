import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { StackFile } from '../stack/stack-file.ts';
import { welcome } from './messages.ts';
import { signInLink } from './sign-in-link.ts';

const STACK: StackFile = {
  ...{ gatewayUrl: 'http://127.0.0.1:8080', mongoUrl: '', amqpUrl: '', form: 'sources' },
  ...{ workspaceId: 'ws_1', projectId: 'prj_1', apiKey: 'clew_one', otherProjectId: 'prj_2', otherApiKey: 'clew_two' },
  ...{ adminApiKey: 'clew_admin', adminEmail: 'owner@clew.local', adminPassword: 'words' },
  ...{ services: {}, servers: {}, supervisorPid: 1, logsDirectory: '/logs' },
};
const LINK = 'http://127.0.0.1:8080/sign-in/link?token=t';

let server: Server | undefined;
afterEach(() => void server?.close());

describe('the last words of a start', () => {
  it('begin with the address of the Workbench and a link into it, where it is served', () => {
    const text = welcome({ ...STACK, workbenchUrl: STACK.gatewayUrl }, { endedBy: 'Ctrl-C', link: LINK });
    expect(text.split('\n').filter((line) => line !== '')).toMatchObject([
      'Clew is ready.',
      '  Workbench http://127.0.0.1:8080',
      expect.stringContaining(`${LINK}  signs you in, once`),
      '  gateway   http://127.0.0.1:8080',
      ...text
        .split('\n')
        .filter((line) => line !== '')
        .slice(4),
    ]);
  });

  it('say nothing of it elsewhere, nor of a link that there is not', () => {
    expect(welcome(STACK, { endedBy: 'Ctrl-C', link: LINK })).not.toMatch(/Workbench|token/);
    const text = welcome({ ...STACK, workbenchUrl: STACK.gatewayUrl }, { endedBy: 'Ctrl-C', link: undefined });
    expect(text).toContain('  Workbench http://127.0.0.1:8080\n\n  gateway');
  });
});

describe('the link into the Workbench', () => {
  async function answering(status: number, body: string): Promise<{ asked: unknown[]; gatewayUrl: string }> {
    const asked: unknown[] = [];
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        asked.push([request.method, request.url, request.headers.authorization, JSON.parse(text)]);
        response.writeHead(status).end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { asked, gatewayUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('is made for the owner of the stack, with the key for all projects', async () => {
    const { asked, gatewayUrl } = await answering(200, JSON.stringify({ link: LINK }));
    expect(await signInLink({ ...STACK, gatewayUrl })).toBe(LINK);
    expect(asked).toEqual([['POST', '/v1/auth/one-time-links', 'Bearer clew_admin', { email: 'owner@clew.local' }]]);
  });

  it('is none where the gateway makes none, or cannot be reached, or the stack has no owner', async () => {
    const { gatewayUrl } = await answering(403, '{"code":"FORBIDDEN"}');
    expect(await signInLink({ ...STACK, gatewayUrl })).toBeUndefined();
    expect(await signInLink({ ...STACK, gatewayUrl: 'http://127.0.0.1:9' })).toBeUndefined();
    const { adminApiKey, ...withoutKey } = STACK;
    expect([adminApiKey, await signInLink({ ...withoutKey, gatewayUrl })]).toEqual(['clew_admin', undefined]);
  });
});
