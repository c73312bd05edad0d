import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SecretEnvelope, SecretPlace } from './envelope.ts';
import { createSecretBox, SecretUnreadableError } from './secret-box.ts';

const FIRST = 'the first secret of this deployment, long enough';
const SECOND = 'the second secret of this deployment, long enough';
const PLACE: SecretPlace = { tenant: 'prj_1', collection: 'providers', id: 'prv_1', field: 'apiKey' };
const box = createSecretBox({ authSecret: FIRST });

const part = fc.string({ maxLength: 12 });
const place = fc.record({ tenant: part, collection: part, id: part, field: part });

describe('a secret box', () => {
  it('opens what it sealed, at its place and at no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), place, place, (secret, here, there) => {
        const envelope = box.seal(secret, here);
        expect(box.open(envelope, here)).toBe(secret);
        fc.pre(JSON.stringify(here) !== JSON.stringify(there));
        expect(() => box.open(envelope, there)).toThrow(SecretUnreadableError);
      }),
    );
  });

  it.each(['tenant', 'collection', 'id', 'field'] as const)('does not open for another %s', (part) => {
    expect(() => box.open(box.seal('sk', PLACE), { ...PLACE, [part]: 'another' })).toThrow(SecretUnreadableError);
  });

  it('never makes the same envelope twice, and none shows the secret', () => {
    const envelopes = Array.from({ length: 50 }, () => box.seal('sk-very-secret', PLACE));
    for (const field of ['wrappedDek', 'iv', 'ct', 'tag'] as const) {
      expect(new Set(envelopes.map((envelope) => envelope[field])).size).toBe(50);
    }
    expect(JSON.stringify(envelopes)).not.toContain('very-secret');
  });

  it.each(['wrappedDek', 'iv', 'ct', 'tag'] as const)('does not open with a changed byte in %s', (field) => {
    const envelope = box.seal('sk-very-secret', PLACE);
    for (let index = 0; index < Buffer.from(envelope[field], 'base64').length; index += 1) {
      const bytes = Buffer.from(envelope[field], 'base64');
      bytes[index] = bytes.readUInt8(index) ^ 1;
      const changed: SecretEnvelope = { ...envelope, [field]: bytes.toString('base64') };
      expect(() => box.open(changed, PLACE)).toThrow(SecretUnreadableError);
    }
  });

  it.each(['wrappedDek', 'iv', 'ct', 'tag'] as const)('does not open with %s cut short', (field) => {
    const envelope = box.seal('sk-very-secret', PLACE);
    for (let length = 0; length < Buffer.from(envelope[field], 'base64').length; length += 1) {
      const cut = Buffer.from(envelope[field], 'base64').subarray(0, length).toString('base64');
      expect(() => box.open({ ...envelope, [field]: cut }, PLACE)).toThrow(SecretUnreadableError);
    }
  });

  it('says that a restore with another AUTH_SECRET needs the original value', () => {
    const restored = createSecretBox({ authSecret: SECOND });
    expect(() => restored.open(box.seal('sk', PLACE), PLACE)).toThrow('another AUTH_SECRET');
  });

  it('reads what was stored before a rotation, and no longer needs the old secret once it is wrapped anew', () => {
    const rotating = createSecretBox({ authSecret: SECOND, previousAuthSecret: FIRST });
    const old = box.seal('sk-very-secret', PLACE);
    expect(rotating.open(old, PLACE)).toBe('sk-very-secret');
    const anew = rotating.rewrap(old, PLACE);
    expect(anew).toMatchObject({ ct: old.ct, kid: rotating.keyId });
    expect(createSecretBox({ authSecret: SECOND }).open(anew, PLACE)).toBe('sk-very-secret');
    expect(() => box.open(anew, PLACE)).toThrow(SecretUnreadableError);
  });
});
