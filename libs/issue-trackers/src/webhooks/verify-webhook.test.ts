import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackTracker, type LoopbackTracker, type LoopbackGitLab } from '@clew/testing/issue-trackers';
import fc from 'fast-check';
import { DRAFT, MARKER, call, trackerAt, valueOf } from '../test-support/trackers.ts';
import { PROVIDERS, type Provider } from '../tracker/connection.ts';
import { verifyWebhook } from './verify-webhook.ts';
import { isHexHmac, isStandardSignature } from './signatures.ts';

const NOW_MS = 1_764_500_000_000;
const VECTOR_SECRET = "It's a Secret to Everybody";

describe('published signatures', () => {
  it('of GitHub and Jira', () => {
    const [gitHub, jira] = ['Hello, World!', 'Hello World!'].map((text) => Buffer.from(text));
    const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(isHexHmac(signature, gitHub!, [VECTOR_SECRET])).toBe(true);
    expect(isHexHmac(signature, jira!, [VECTOR_SECRET])).toBe(false);
    expect(isHexHmac('a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9', jira!, [VECTOR_SECRET])).toBe(
      true,
    );
  });

  it('of Standard Webhooks, also among others and during a rotation', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' };
    const [body, secret] = [Buffer.from('{"test": 2432232314}'), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(isStandardSignature({ ...message, signatures: signature }, body, [secret])).toBe(true);
    expect(
      isStandardSignature({ ...message, signatures: `v1a,AAAA v1,AAAA ${signature}` }, body, ['other', secret]),
    ).toBe(true);
    expect(isStandardSignature({ ...message, signatures: signature, id: 'msg_other' }, body, [secret])).toBe(false);
    expect(isStandardSignature({ ...message, signatures: signature.replace('v1,', 'v2,') }, body, [secret])).toBe(
      false,
    );
  });

  it('count for nothing with an empty secret', () => {
    const body = Buffer.from('x');
    expect(isHexHmac(createHmac('sha256', '').update(body).digest('hex'), body, [''])).toBe(false);
  });
});

describe.each([...PROVIDERS])('a webhook of %s', (provider: Provider) => {
  let host: LoopbackTracker;

  beforeEach(async () => {
    host = await startLoopbackTracker(provider, { now: () => NOW_MS });
  });
  afterEach(() => host.stop());

  const options = () => ({ secrets: [host.webhookSecret], nowMs: NOW_MS });
  const verify = (delivery: ReturnType<LoopbackTracker['deliveryOf']>, changes = {}) =>
    verifyWebhook(provider, delivery, { ...options(), ...changes });
  const lastDelivery = () => host.deliveryOf(host.events.at(-1)!);

  it('names the issue by the id that its tracker has for it, and its delivery by the same id each time', async () => {
    const { externalId } = valueOf(await trackerAt(host).create(DRAFT, MARKER, call()));
    const [first, again] = [verify(lastDelivery()), verify(lastDelivery())];
    const event = { kind: 'issue', externalId, change: 'changed' };
    expect(first).toMatchObject({ kind: 'accepted', deliveryId: host.events.at(-1)!.uid, event });
    expect(again).toEqual(first);
    host.put(host.issues[0]!, 'completed');
    const closed = verify(lastDelivery());
    expect(closed).toMatchObject({ kind: 'accepted', event });
    expect(closed).not.toMatchObject({ contentHash: (first as { contentHash: string }).contentHash });
  });

  it('says that an issue was deleted, or moved away, where the provider says it', async () => {
    host.add('Deleted');
    host.remove(host.issues[0]!);
    const deleted = { github: 'deleted', gitlab: 'changed', jira: 'deleted', linear: 'deleted' }[provider];
    expect(verify(lastDelivery())).toMatchObject({ event: { kind: 'issue', change: deleted } });
    host.add('Moved');
    host.move(host.issues[1]!);
    const moved = provider === 'github' ? 'moved' : 'changed';
    expect(verify(lastDelivery())).toMatchObject({ event: { kind: 'issue', change: moved } });
  });

  it('is accepted under either secret during a rotation', () => {
    host.add('Issue');
    expect(verify(lastDelivery(), { secrets: ['next secret', host.webhookSecret] })).toMatchObject({
      kind: 'accepted',
    });
  });

  it('is refused with another secret, without a signature, and without any secret to compare with', () => {
    host.add('Issue');
    const refused = { kind: 'refused', reason: 'signature' };
    const delivery = lastDelivery();
    const signatures = ['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token', 'linear-signature'];
    const bare = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !signatures.includes(name)));
    expect(verify(delivery, { secrets: ['another'] })).toMatchObject(refused);
    expect(verify(delivery, { secrets: [] })).toMatchObject(refused);
    expect(verify(delivery, { secrets: [''] })).toMatchObject(refused);
    expect(verify({ ...delivery, headers: bare })).toMatchObject(refused);
    for (const name of signatures.filter((each) => each in delivery.headers)) {
      for (const value of ['', 'sha256=', delivery.headers[name]!.slice(1)]) {
        expect(verify({ ...delivery, headers: { ...delivery.headers, [name]: value } })).toMatchObject(refused);
      }
    }
  });

  it('is refused when a bit of its body was changed', () => {
    if (provider === 'gitlab')
      (host as LoopbackGitLab).settings.signingToken = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    host.add('Issue');
    const delivery = lastDelivery();
    const secrets = [host.webhookSecret, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    expect(verify(delivery, { secrets })).toMatchObject({ kind: 'accepted' });
    fc.assert(
      fc.property(fc.nat(delivery.body.length - 1), fc.nat(7), (at, bit) => {
        const body = Buffer.from(delivery.body);
        body.writeUInt8(body.readUInt8(at) ^ (1 << bit), at);
        expect(verify({ ...delivery, body }, { secrets })).toMatchObject({ kind: 'refused', reason: 'signature' });
      }),
      { numRuns: 60 },
    );
  });

  it('is something else than an issue, or nothing that the provider sends', () => {
    host.add('Issue');
    const signed = (text: string, headers: Record<string, string> = {}) => {
      const body = Buffer.from(text);
      const hex = createHmac('sha256', host.webhookSecret).update(body).digest('hex');
      const given = lastDelivery().headers;
      const all = {
        'x-hub-signature-256': `sha256=${hex}`,
        'x-hub-signature': `sha256=${hex}`,
        'linear-signature': hex,
      };
      const known = Object.fromEntries(Object.entries(all).filter(([name]) => name in given));
      return { headers: { ...given, ...known, ...headers }, body };
    };
    const time = `"webhookTimestamp": ${NOW_MS}`;
    const ping = `{"zen": "x", "hook_id": 1, "webhookEvent": "comment_created", "action": "create", "type": "Comment", ${time}}`;
    const eventHeaders = { 'x-github-event': 'ping', 'x-gitlab-event': 'Note Hook' };
    expect(verify(signed(ping, eventHeaders))).toMatchObject({ kind: 'accepted', event: { kind: 'other' } });
    for (const text of [`{${time}}`, `{"action": 5, "webhookEvent": 5, "object_attributes": 5, ${time}}`]) {
      const outcome = verify(signed(text));
      expect(outcome.kind === 'refused' ? outcome.reason : outcome.event.kind).toMatch(/^(?:content|other)$/);
    }
    for (const text of ['', 'no JSON', '[]']) {
      expect(verify(signed(text))).toMatchObject({
        kind: 'refused',
        reason: provider === 'linear' ? 'stale' : 'content',
      });
    }
  });
});

describe('an old webhook', () => {
  it('of Linear is refused outside of a minute, by the time in what is signed', async () => {
    const host = await startLoopbackTracker('linear', { now: () => NOW_MS });
    host.add('Issue');
    const delivery = host.deliveryOf(host.events[0]!);
    const fresh = { ...delivery, headers: { ...delivery.headers, 'linear-timestamp': String(NOW_MS + 3_600_000) } };
    const at = (nowMs: number) => verifyWebhook('linear', fresh, { secrets: [host.webhookSecret], nowMs });
    expect([at(NOW_MS + 60_000).kind, at(NOW_MS - 60_000).kind]).toEqual(['accepted', 'accepted']);
    const stale = { kind: 'refused', reason: 'stale' };
    expect([at(NOW_MS + 60_001), at(NOW_MS - 60_001), at(NOW_MS + 3_600_000)]).toMatchObject([stale, stale, stale]);
    await host.stop();
  });

  it('of GitLab is refused outside of five minutes, where it is signed', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const host = (await startLoopbackTracker('gitlab', { now: () => NOW_MS })) as LoopbackGitLab;
    host.settings.signingToken = secret;
    host.add('Issue');
    const delivery = host.deliveryOf(host.events[0]!);
    const at = (nowMs: number, secrets = [secret]) => verifyWebhook('gitlab', delivery, { secrets, nowMs });
    expect([at(NOW_MS + 299_000).kind, at(NOW_MS + 301_000)]).toMatchObject(['accepted', { reason: 'stale' }]);
    // The plain token in the same delivery does not stand in for its signature.
    expect(at(NOW_MS, [host.webhookSecret])).toMatchObject({ kind: 'refused', reason: 'signature' });
    await host.stop();
  });
});

describe('a webhook of Jira without a signature', () => {
  it('needs the secret in its address', async () => {
    const host = await startLoopbackTracker('jira', { now: () => NOW_MS });
    host.add('Issue');
    const { headers, body } = host.deliveryOf(host.events[0]!);
    const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-hub-signature'));
    const options = { secrets: [host.webhookSecret], nowMs: NOW_MS };
    const verify = (urlSecret?: string) => verifyWebhook('jira', { headers: unsigned, body, urlSecret }, options);
    expect([verify(), verify(''), verify('wrong'), verify(host.webhookSecret)].map(({ kind }) => kind)).toEqual([
      ...['refused', 'refused', 'refused', 'accepted'],
    ]);
    const wronglySigned = {
      headers: { ...headers, 'x-hub-signature': 'sha256=00' },
      body,
      urlSecret: host.webhookSecret,
    };
    expect(verifyWebhook('jira', wronglySigned, options)).toMatchObject({ kind: 'refused' });
    await host.stop();
  });
});

describe('a webhook of GitHub', () => {
  const secrets = ['secret'];
  const signed = (text: string, headers: Record<string, string> = {}) => {
    const body = Buffer.from(text);
    const hex = createHmac('sha256', 'secret').update(body).digest('hex');
    return {
      body,
      headers: {
        'x-github-event': 'issues',
        'x-github-delivery': 'd1',
        'x-hub-signature-256': `sha256=${hex}`,
        ...headers,
      },
    };
  };
  const json = JSON.stringify({
    action: 'closed',
    issue: { number: 4 },
    repository: { name: 'shop', owner: { login: 'acme' } },
  });

  it('can come as a form', () => {
    const form = signed(new URLSearchParams({ payload: json }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    const event = { kind: 'issue', externalId: 'acme/shop#4', change: 'changed' };
    expect(verifyWebhook('github', form, { secrets, nowMs: NOW_MS })).toMatchObject({ kind: 'accepted', event });
  });

  it('is read in all published examples', async () => {
    const { default: examples } = await import('@octokit/webhooks-examples/api.github.com/index.json', {
      with: { type: 'json' },
    });
    const published = examples as unknown as { name: string; examples: PublishedExample[] }[];
    const changes = (published.find(({ name }) => name === 'issues')?.examples ?? []).map((payload) => {
      const verified = verifyWebhook('github', signed(JSON.stringify(payload)), { secrets, nowMs: NOW_MS });
      // Some are of pull requests, which come with the same event.
      const isIssue = payload.issue.pull_request === undefined;
      const event = { kind: 'issue', externalId: `${payload.repository.full_name}#${payload.issue.number}` };
      expect(verified).toMatchObject({ kind: 'accepted', event: isIssue ? event : { kind: 'other' } });
      return payload.action;
    });
    expect(changes).toEqual(expect.arrayContaining(['opened', 'reopened', 'deleted', 'transferred']));
  });

  it('has the hash of its body for an id, where it has no id', () => {
    const { body, headers } = signed(json);
    const bare = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-github-delivery'));
    const verified = verifyWebhook('github', { body, headers: bare }, { secrets, nowMs: NOW_MS });
    expect(verified).toMatchObject({ kind: 'accepted' });
    expect(verified).toMatchObject({ deliveryId: (verified as { contentHash: string }).contentHash });
  });
});

interface PublishedExample {
  action: string;
  issue: { number: number; pull_request?: object };
  repository: { full_name: string };
}
