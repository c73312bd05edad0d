export { createAddressPolicy, parseCidrList, type AddressPolicy } from './address-policy.ts';
export { createOutbound, OutboundRefusedError, refusalIn, type Outbound, type OutboundOptions } from './outbound.ts';
export { outboundVariables } from './outbound-variables.ts';
