import ipaddr from 'ipaddr.js';

/** Decides which addresses this deployment may call. */
export interface AddressPolicy {
  /** Why an IP address may not be called, or undefined where it may. */
  refusalOf(address: string): string | undefined;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Never called, whatever is allowed: from here a machine's own credentials are handed out. */
const NEVER: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata of Amazon over IPv6, of Alibaba, of Oracle and of Azure.
  'fd00:ec2::/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
].map((cidr) => ipaddr.parseCIDR(cidr));

/** IPv4 addresses travel inside these (NAT64, 6to4); where they lead is another network's decision. */
const TUNNELS: readonly [ipaddr.IPv6, number][] = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'].map(
  (cidr) => ipaddr.IPv6.parseCIDR(cidr),
);

/**
 * Public unicast addresses may be called, others only where `allowCidrs` names them; link-local and metadata addresses
 * never. Throws for what is not a CIDR.
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const allowed = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return {
    refusalOf(text) {
      if (!ipaddr.isValid(text)) return 'is not an IP address';
      // `process` turns an IPv4 address in IPv6 clothes (::ffff:127.0.0.1) into what it is.
      const address = ipaddr.process(text);
      if (isIn(address, NEVER)) return 'is a link-local or metadata address';
      if (isIn(address, allowed)) return undefined;
      if (isIn(address, TUNNELS)) return 'leads through a tunnel';
      return address.range() === 'unicast' ? undefined : `is not a public address (${address.range()})`;
    },
  };
}

/** Parses `OUTBOUND_ALLOW_CIDRS`: CIDRs with commas between them. Throws for what is not one. */
export function parseCidrList(text: string): string[] {
  const cidrs = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  cidrs.forEach((cidr) => ipaddr.parseCIDR(cidr));
  return cidrs;
}

function isIn(address: Address, ranges: readonly [Address, number][]): boolean {
  return ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
}
