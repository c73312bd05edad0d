import type { ModelPrice } from '@clew/contracts';
import type { CountedTokens } from '../recording/finished-call.ts';

/** Digits of a price behind the dot. */
const PRICE_DIGITS = 6;
/** Digits of a cost behind the dot: a price is for a million tokens, which are six more. */
const COST_DIGITS = 12;
const ONE = 10n ** BigInt(COST_DIGITS);

/** Computes what a call costs, exactly, in units of 10^-12 of the currency. */
export function costOf(price: ModelPrice, { inputTokens, outputTokens }: CountedTokens): bigint {
  const input = BigInt(inputTokens) * inMillionths(price.inputPerMillionTokens);
  return input + BigInt(outputTokens) * inMillionths(price.outputPerMillionTokens);
}

/** Writes a cost as a plain decimal number without trailing zeros. */
export function decimalOf(cost: bigint): string {
  const fraction = String(cost % ONE).padStart(COST_DIGITS, '0');
  const digits = fraction.replace(/0{1,12}$/, '');
  return digits === '' ? String(cost / ONE) : `${cost / ONE}.${digits}`;
}

/** Reads a decimal number, which may have an exponent, as a cost. */
export function costFrom(decimal: string): bigint {
  const [mantissa = '0', exponent = '0'] = decimal.split('E');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = COST_DIGITS + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

function inMillionths(price: string): bigint {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(PRICE_DIGITS, '0'));
}
