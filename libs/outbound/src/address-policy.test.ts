import { describe, expect, it } from '@jest/globals';
import { createAddressPolicy, parseCidrList } from './address-policy.ts';

const strict = createAddressPolicy([]);
const open = createAddressPolicy(['0.0.0.0/0', '::/0']);
const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128']);

describe('which addresses may be called', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('%s, which is public', (address) => {
    expect(strict.refusalOf(address)).toBeUndefined();
  });

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    'nonsense',
  ])('not %s, unless it is named', (address) => {
    expect(strict.refusalOf(address)).toBeDefined();
  });

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
  ])('never %s, whatever is named', (address) => {
    expect(open.refusalOf(address)).toContain('metadata');
  });

  it('those that are named, in either form, and no others', () => {
    expect(loopback.refusalOf('127.0.0.1')).toBeUndefined();
    expect(loopback.refusalOf('::ffff:127.0.0.1')).toBeUndefined();
    expect(loopback.refusalOf('::1')).toBeUndefined();
    expect(loopback.refusalOf('10.0.0.1')).toBeDefined();
  });

  it('reads a list of ranges, and refuses what is none', () => {
    expect(parseCidrList(' 127.0.0.0/8, ::1/128,')).toEqual(['127.0.0.0/8', '::1/128']);
    expect(parseCidrList('')).toEqual([]);
    expect(() => parseCidrList('127.0.0.1')).toThrow();
    expect(() => parseCidrList('all')).toThrow();
  });
});
