import { z } from 'zod';
import { parseCidrList } from './address-policy.ts';

/** Variables of processes that call addresses chosen by others. */
export const outboundVariables = {
  /** Address ranges, in addition to public addresses, that URLs given by callers may lead to. */
  OUTBOUND_ALLOW_CIDRS: z.string().default('').refine(isCidrList, 'must be CIDRs with commas between them'),
} as const;

function isCidrList(text: string): boolean {
  try {
    parseCidrList(text);
    return true;
  } catch {
    return false;
  }
}
