import { createHmac } from 'node:crypto';

/** Parts that a signature of Standard Webhooks covers. */
export interface Signed {
  /** Id of the event: the same for every try. */
  id: string;
  /** Time of the try, in seconds. */
  timestampSeconds: number;
  body: string;
}

/** Headers of Standard Webhooks with a signature for each key; a receiver needs to know one of them. */
export function signatureHeaders(keys: readonly Buffer[], { id, timestampSeconds, body }: Signed) {
  const signatures = keys.map((key) => {
    const signature = createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
