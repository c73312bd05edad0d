import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RuntimeActivity } from '@clew/contracts';
import { PROFILE } from '@clew/testing-model-runtime';
import { useTestRuntime, type RuntimeUser, type TestRuntime } from '../test-support/runtime-service.ts';

// Slow enough for the stages to be seen.
const current = useTestRuntime({ fetchMs: 3_000 });
let runtime: TestRuntime;

beforeAll(() => {
  runtime = current();
});

/** Yields the events of the stream until the loop over them ends. */
async function* eventsOf(user: RuntimeUser): AsyncGenerator<RuntimeActivity> {
  const { url, headers } = user.request({ path: '/activity', headers: { accept: 'text/event-stream' } });
  const request = get(url, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.headers['content-type']).toBe('text/event-stream');
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^event: activity\ndata: (.+)$/.exec(event) ?? [];
        if (data !== undefined) yield JSON.parse(data) as RuntimeActivity;
      }
    }
  } finally {
    request.destroy();
  }
}

describe('the activity of the runtime', () => {
  it('is a list of what the project has under way, what changed last first, with what was printed', async () => {
    const [user, other] = [runtime.user(), runtime.user()];
    await user.call({ method: 'POST', path: '/engines/faster-whisper/installations' });
    await user.untilEngine('faster-whisper', 'ready');
    await user.call({ method: 'POST', path: `/tiny/profiles/${PROFILE}/downloads` });
    const { body } = await user.call<{ activity: RuntimeActivity[] }>({ path: '/activity' });
    expect(body.activity.map(({ kind }) => kind)).toEqual(['download', 'engine']);
    expect(body.activity[1]).toMatchObject({ engine: 'faster-whisper', log: ['installing faster-whisper'] });
    expect(await other.call({ path: '/activity' })).toMatchObject({ status: 200, body: { activity: [] } });
    await user.call({ method: 'DELETE', path: `/tiny/profiles/${PROFILE}` });
    await user.call({ method: 'DELETE', path: '/engines/faster-whisper' });
  });

  it('is a stream of changes with progress in bytes, until the caller goes away', async () => {
    const user = runtime.user();
    await user.call({ method: 'POST', path: `/tiny.streamed/profiles/${PROFILE}/downloads` });
    const seen: RuntimeActivity[] = [];
    for await (const event of eventsOf(user)) {
      seen.push(event);
      if (event.state === 'completed') break;
    }
    const bytes = seen.flatMap((event) => (event.kind === 'download' ? [event.bytesDone] : []));
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
    expect(new Set(bytes).size).toBeGreaterThan(2);
    expect(seen.at(-1)).toMatchObject({ kind: 'download', state: 'completed', bytesDone: bytes.at(-1) });
    // Only changed entries are sent.
    expect(new Set(seen.map((event) => JSON.stringify(event))).size).toBe(seen.length);
    await user.call({ method: 'DELETE', path: `/tiny.streamed/profiles/${PROFILE}` });
  });

  it('is a stream from the start, also where there is nothing to tell yet', async () => {
    const { url, headers } = runtime.user().request({ path: '/activity', headers: { accept: 'text/event-stream' } });
    const request = get(url, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    request.destroy();
  });
});
