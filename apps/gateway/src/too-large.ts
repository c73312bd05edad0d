import { AppError } from '@clew/kernel';

/** Error for a body with more bytes than its route takes, whether declared or counted as they pass. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
