import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runClew } from '../run.ts';
import { startDescribedApi, writeJson, type DescribedApi } from '../test-support/described-api.ts';
import { fakeIo, type FakeIoOptions } from '../test-support/fake-io.ts';

let api: DescribedApi;
beforeAll(async () => {
  api = await startDescribedApi();
});
afterAll(() => api.close());
beforeEach(() => api.reset());

const world = (options: FakeIoOptions = {}) =>
  fakeIo({ ...options, env: { CLEW_URL: api.url, CLEW_API_KEY: 'clew_live_test', CLEW_PROJECT: 'prj_1' } });

const events = (response: ServerResponse, ...items: object[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(items.map((item) => `data: ${JSON.stringify(item)}\n\n`).join(''));
};

const DOWNLOAD = { modelId: 'tiny', profileId: 'q4', generation: 2, bytesTotal: 400, error: null, updatedAt: 1 };

/** Answers as a node does that is in the middle of a download. */
function downloading(then: (response: ServerResponse) => void, category = 'chat') {
  const profiles = [{ id: 'q4', engine: 'llama.cpp' }];
  api.answer('/models/tiny', (response) =>
    writeJson(response, 200, { id: 'tiny', category, profiles, selectedProfileId: 'q4' }),
  );
  api.answer('/installations', (response) =>
    writeJson(response, 202, { engine: 'llama.cpp', state: 'ready', generation: 1 }),
  );
  api.answer('/downloads', (response) => writeJson(response, 202, { ...DOWNLOAD, state: 'queued', bytesDone: 0 }));
  api.answer('/models/activity', (response) => {
    events(response, { kind: 'download', ...DOWNLOAD, state: 'running', bytesDone: 100 });
    then(response);
  });
  api.answer('/models/runtime', (response) =>
    writeJson(response, 200, { downloads: [{ ...DOWNLOAD, state: 'running', bytesDone: 100 }] }),
  );
  api.answer('/downloads/2', (response) => writeJson(response, 202, { ...DOWNLOAD, state: 'removing' }));
}

const removals = () => api.seen.filter(({ method }) => method === 'DELETE').map(({ path }) => path);

describe('clew models pull', () => {
  it.each([
    ['chat', 'Talk with it: clew models chat self/tiny\n'],
    ['transcription', ''],
  ])(
    'shows the bytes of the whole download and then the name, which one can talk to if it is for %s',
    async (...row) => {
      const [category, told] = row;
      downloading((response) => {
        const end = { kind: 'download', ...DOWNLOAD, state: 'completed', bytesDone: 400 };
        response.write(`data: ${JSON.stringify(end)}\n\n`);
      }, category);
      api.answer('/service', (response) =>
        writeJson(response, 202, { ...DOWNLOAD, model: 'self/tiny', state: 'ready' }),
      );
      const io = world({ isTerminal: true });
      expect(await runClew(['models', 'pull', 'tiny'], io)).toBe(0);
      expect(io.err()).toContain('tiny   25 %  100 B of 400 B');
      expect(io.out()).toContain('self/tiny');
      expect(/Talk.*\n/.exec(io.err())?.[0] ?? '').toBe(told);
    },
  );

  it('that is interrupted says that the download goes on, and stops nothing', async () => {
    const io = world();
    downloading(() => io.interrupt());
    expect(await runClew(['models', 'pull', 'tiny'], io)).toBe(130);
    expect(io.err()).toContain('The download goes on: clew models activity');
    expect(removals()).toEqual([]);
  });

  it('that is interrupted with --cancel-on-interrupt stops the download', async () => {
    const io = world();
    downloading(() => io.interrupt());
    expect(await runClew(['models', 'pull', 'tiny', '--cancel-on-interrupt'], io)).toBe(130);
    expect(removals()).toEqual(['/v1/projects/prj_1/models/tiny/profiles/q4/downloads/2']);
    expect(io.err()).toContain('The download was stopped');
  });
});

describe('clew models chat', () => {
  const piece = (content: string) => ({ choices: [{ delta: { content } }] });

  it('prints an answer as it comes, and takes the message from a pipe', async () => {
    api.answer('/chat/completions', (response) => {
      events(response, piece('Hel'), piece('lo\u001b[2J'));
      response.end('data: [DONE]\n\n');
    });
    const io = world({ stdin: 'Say hello\n' });
    expect(await runClew(['models', 'chat', 'self/tiny', '--system', 'Be brief'], io)).toBe(0);
    expect(io.out()).toBe('Hello\u001b[2J\n');
    expect(JSON.parse(api.seen[0]?.body ?? '')).toEqual({
      ...{ model: 'self/tiny', stream: true },
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Say hello' },
      ],
    });
    expect(api.seen[0]?.headers['x-clew-project']).toBe('prj_1');
  });

  it('lets no model control the terminal', async () => {
    api.answer('/chat/completions', (response) => {
      events(response, piece('a\u001b[2Jb'));
      response.end('data: [DONE]\n\n');
    });
    const io = world({ isTerminal: true });
    await runClew(['models', 'chat', 'self/tiny', 'Hello'], io);
    expect(io.out()).toBe('a\ufffd[2Jb\n');
  });

  describe('with a person', () => {
    const answers = (...texts: string[]) =>
      api.answer('/chat/completions', (response) => {
        events(response, piece(texts.shift() ?? ''));
        response.end('data: [DONE]\n\n');
      });
    const talk = (...lines: string[]) => world({ isTerminal: true, lines });
    const asked = () =>
      api.seen.map(({ body }) =>
        (JSON.parse(body) as { messages: { role: string; content: string }[] }).messages.map(
          ({ role, content }) => `${role}: ${content}`,
        ),
      );

    it('remembers what was said, and leaves when they do', async () => {
      answers('Hi', 'Two');
      const io = talk('Hello', '  One and one?  ');
      expect(await runClew(['models', 'chat', 'self/tiny'], io)).toBe(0);
      expect(io.out()).toBe('Hi\nTwo\n');
      expect(asked()).toEqual([['user: Hello'], ['user: Hello', 'assistant: Hi', 'user: One and one?']]);
    });

    it('takes several lines between three quotes as one message', async () => {
      answers('Yes');
      await runClew(['models', 'chat', 'self/tiny'], talk('"""One', ' two', 'three"""', '/exit', 'not said'));
      expect(asked()).toEqual([['user: One\n two\nthree']]);
    });

    it('gets an instruction with /system, and begins anew with /reset, which keeps it', async () => {
      answers('Hi', 'Hi again');
      await runClew(['models', 'chat', 'self/tiny'], talk('/system Be brief', 'Hello', '/reset', '', 'Hello'));
      expect(asked()).toEqual([
        ['system: Be brief', 'user: Hello'],
        ['system: Be brief', 'user: Hello'],
      ]);
    });

    it('is told the commands', async () => {
      const io = talk('/help');
      await runClew(['models', 'chat', 'self/tiny'], io);
      expect(io.err()).toContain('/system <text>  instruction before everything');
      expect(api.seen).toEqual([]);
    });

    it('whose answer they stop goes on, with what was said so far', async () => {
      const io = talk('Tell a story', 'Go on');
      const write = io.stdout.write.bind(io.stdout);
      io.stdout.write = async (data) => {
        await write(data);
        if (data === 'Once') io.interruptTalk();
      };
      api.answer('/chat/completions', (response) => {
        events(response, piece(api.seen.length === 1 ? 'Once' : ' upon a time'));
        if (api.seen.length > 1) response.end('data: [DONE]\n\n');
      });
      expect(await runClew(['models', 'chat', 'self/tiny'], io)).toBe(0);
      expect(asked()[1]).toEqual(['user: Tell a story', 'assistant: Once', 'user: Go on']);
    });

    it('who waits for a slow model is told that they were heard', async () => {
      answers('Hi');
      const io = talk('Hello');
      await runClew(['models', 'chat', 'self/tiny'], io);
      expect(io.err()).toContain('The model has not begun yet; Ctrl-C takes the question back');
    });

    it('whose answer fails goes on without it', async () => {
      const io = talk('Hello', 'Hello?');
      api.answer('/chat/completions', (response) => {
        if (api.seen.length === 1)
          writeJson(response, 409, { error: 'Conflict', code: 'CONFLICT', message: 'Not now' });
        else {
          events(response, piece('Hi'));
          response.end('data: [DONE]\n\n');
        }
      });
      expect(await runClew(['models', 'chat', 'self/tiny'], io)).toBe(0);
      expect(io.err()).toContain('Not now');
      expect(asked()[1]).toEqual(['user: Hello?']);
    });
  });

  it('with nothing to say ends with 2', async () => {
    expect(await runClew(['models', 'chat', 'self/tiny'], world())).toBe(2);
  });
});

describe('clew models logs', () => {
  it('--follow prints each line once, though every entry brings the last lines again', async () => {
    const io = world();
    const entry = (log: string[]) => ({ kind: 'service', modelId: 'tiny', state: 'ready', log });
    api.answer('/models/activity', (response) => {
      events(response, entry(['a', 'b', 'c']), entry(['b', 'c', 'd', 'e']), entry(['e', 'f']), entry(['z']));
      response.end();
    });
    await runClew(['models', 'logs', 'self/tiny', '--follow'], io, { maxRetries: 0 });
    expect(io.out()).toBe('a\nb\nc\nd\ne\nf\nz\n');
  });
});
