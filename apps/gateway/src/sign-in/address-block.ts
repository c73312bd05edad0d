import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(?<v4>\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS_OF_BLOCK = 4;
const GROUPS = 8;

/**
 * Block of addresses that one caller can choose from: a single address of IPv4, and of IPv6 the 64 bits that a
 * connection is given.
 */
export function addressBlock(address: string | null): string {
  if (address === null) return 'unknown';
  const plain = address.split('%', 1)[0] ?? '';
  const mapped = MAPPED.exec(plain)?.groups?.['v4'];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, GROUPS - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, GROUPS_OF_BLOCK);
  return `${groups.map((group) => group.replace(/^0{1,3}(?=.)/, '')).join(':')}::/64`;
}
