import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newSecret, signingKeyOf } from '../registry/webhook.ts';
import { signatureHeaders } from './sign.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Verifies as receivers do, who know one secret. */
function verified(secret: string, headers: Record<string, string>, body: string): unknown {
  return new Webhook(secret).verify(body, headers);
}

describe('a signature', () => {
  it('is that of the published example', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(signatureHeaders([signingKeyOf(SECRET)], signed)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('of any body verifies with either secret of a rotation, and with no other', () => {
    fc.assert(
      fc.property(fc.json(), fc.uuid(), (body, id) => {
        const [present, previous, other] = [newSecret(), newSecret(), newSecret()];
        const timestampSeconds = Math.floor(Date.now() / 1_000);
        const headers = signatureHeaders([present, previous].map(signingKeyOf), { id, timestampSeconds, body });
        expect(verified(present, headers, body)).toEqual(JSON.parse(body));
        expect(verified(previous, headers, body)).toEqual(JSON.parse(body));
        expect(() => verified(other, headers, body)).toThrow('No matching signature found');
        expect(() => verified(present, headers, `${body} `)).toThrow('No matching signature found');
        expect(() => verified(present, { ...headers, 'webhook-id': `${id}0` }, body)).toThrow('No matching');
      }),
      { numRuns: 50 },
    );
  });
});
