/** Delivery of a provider's webhook, as it was received. */
export interface WebhookDelivery {
  /** Bytes of the body: the signature is over exactly these. */
  body: Uint8Array;
  /** Headers by their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Secret in the address that was called, for providers and plans that do not sign. */
  urlSecret?: string | undefined;
}

export interface WebhookOptions {
  /** Secrets that are valid now: two during a rotation. */
  secrets: readonly string[];
  nowMs: number;
}

/** News of a webhook about an issue. They are only a reason to read the issue: payloads come late and out of order. */
export type WebhookEvent =
  | { kind: 'issue'; externalId: string; change: 'changed' | 'deleted' | 'moved' }
  /** A test of the webhook, or something else than an issue. */
  | { kind: 'other' };

export type VerifiedWebhook =
  | {
      kind: 'accepted';
      /** Id that the provider gave the delivery, equal in its retries. */
      deliveryId: string;
      /**
       * Hash of the body. GitHub, Jira and Linear do not sign the delivery id, so that a repeat can have another one: a
       * delivery counts as seen if either is known.
       */
      contentHash: string;
      event: WebhookEvent;
    }
  | { kind: 'refused'; reason: 'signature' | 'stale' | 'content'; message: string };

export type RefusedWebhook = Extract<VerifiedWebhook, { kind: 'refused' }>;

/** Rules of one provider. */
export interface WebhookRules {
  /** Returns the refusal of a delivery that is not from the provider, or came too late. */
  refusalOf(delivery: WebhookDelivery, options: WebhookOptions): RefusedWebhook | undefined;
  deliveryIdOf(headers: HeaderReader): string | undefined;
  /** Reads the event; undefined if the body is not what the provider sends. */
  eventOf(json: unknown, headers: HeaderReader): WebhookEvent | undefined;
}

export type HeaderReader = (name: string) => string | undefined;

export function headersOf({ headers }: Pick<WebhookDelivery, 'headers'>): HeaderReader {
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
}

export const UNSIGNED: RefusedWebhook = {
  kind: 'refused',
  reason: 'signature',
  message: 'The webhook is not signed with a secret of this connection',
};
export const STALE: RefusedWebhook = {
  kind: 'refused',
  reason: 'stale',
  message: 'The webhook is too old, or from the future',
};
