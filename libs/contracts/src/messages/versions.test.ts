import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineMessage, envelopeSchema, routingKeyOf, type MessageSpec } from './envelope.ts';

const base = { kind: 'event', type: 'gateway.thing.changed', publishedBy: ['gateway'] } as const;
/** First version of a message, about one thing, and its next version, which groups several things. */
const first = defineMessage({ ...base, version: 1, superseded: true, data: z.object({ thingId: z.string() }) });
const second = defineMessage({
  ...base,
  version: 2,
  data: z.object({ things: z.array(z.object({ thingId: z.string(), name: z.string().optional() })).min(1) }),
});

function messageOf({ type, version }: MessageSpec, data: unknown) {
  return { id: `${type}:1`, type, version, occurredAt: 1, projectId: 'prj_1', requestId: null, data };
}

describe('two versions of a message', () => {
  const [old, next] = [messageOf(first, { thingId: 'a' }), messageOf(second, { things: [{ thingId: 'a' }] })];

  it('are in flight at the same time: each has a routing key of its own, and is read by its own schema alone', () => {
    expect([routingKeyOf(first), routingKeyOf(second)]).toEqual([
      'gateway.thing.changed.v1',
      'gateway.thing.changed.v2',
    ]);
    expect([envelopeSchema(first).parse(old), envelopeSchema(second).parse(next)]).toEqual([old, next]);
    expect(envelopeSchema(first).safeParse(next).success).toBe(false);
    expect(envelopeSchema(second).safeParse(old).success).toBe(false);
  });

  it('are not made by a member that may be absent: what was sent without it is read as before', () => {
    const named = messageOf(second, { things: [{ thingId: 'a', name: 'new' }] });
    expect(envelopeSchema(second).parse(named)).toEqual(named);
    expect(envelopeSchema(second).parse(next)).toEqual(next);
  });
});
