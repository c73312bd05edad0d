import ipaddr from 'ipaddr.js';

/** Decides which addresses this deployment may call. */
export interface AddressPolicy {
  /** Returns the reason why an IP address may not be called, or undefined if it may. */
  refusalOf(address: string): string | undefined;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Ranges that are never called, whatever is allowed: these addresses give out a machine's own credentials. */
const NEVER: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services of Amazon over IPv6, of Alibaba, of Oracle and of Azure.
  'fd00:ec2::/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
].map((cidr) => ipaddr.parseCIDR(cidr));

/** Tunnels that carry IPv4 addresses (NAT64, 6to4); another network decides where they lead. */
const TUNNELS: readonly [ipaddr.IPv6, number][] = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'].map(
  (cidr) => ipaddr.IPv6.parseCIDR(cidr),
);

/**
 * Creates the policy: public unicast addresses may be called, others only if `allowCidrs` contains them; link-local and
 * metadata addresses never. Throws for an invalid CIDR.
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const allowed = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return {
    refusalOf(text) {
      if (!ipaddr.isValid(text)) return 'is not an IP address';
      // `process` converts an IPv4-mapped IPv6 address (::ffff:127.0.0.1) to IPv4.
      const address = ipaddr.process(text);
      if (isIn(address, NEVER)) return 'is a link-local or metadata address';
      if (isIn(address, allowed)) return undefined;
      if (isIn(address, TUNNELS)) return 'leads through a tunnel';
      return address.range() === 'unicast' ? undefined : `is not a public address (${address.range()})`;
    },
  };
}

/** Parses `OUTBOUND_ALLOW_CIDRS`: comma-separated CIDRs. Throws for an invalid one. */
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
