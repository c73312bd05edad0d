import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressBlock } from './address-block.ts';

describe('the block of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [null, 'unknown'],
  ])('%s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });

  it('of IPv6 is the same for all addresses of a network, however they are written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const block = addressBlock(address);
        expect(block).toMatch(/^(?:[\da-f]{1,4}(?::[\da-f]{1,4}){3}::\/64|\d{1,3}(?:\.\d{1,3}){3})$/);
        expect(addressBlock(address.toUpperCase())).toBe(block);
      }),
      { numRuns: 200 },
    );
  });
});
