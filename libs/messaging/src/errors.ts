/**
 * Signals that the broker cannot be reached, or did not confirm in time: the message may or may not have been accepted.
 */
export class BrokerUnavailableError extends Error {
  override readonly name = 'BrokerUnavailableError';
}

/**
 * Signals that the broker rejected the message, because a target queue is full. It is on no queue, or not on all of
 * them.
 */
export class PublishRejectedError extends Error {
  override readonly name = 'PublishRejectedError';
}

/** Signals that no queue is bound for the message; the broker has dropped it. */
export class UnroutableMessageError extends Error {
  override readonly name = 'UnroutableMessageError';
}

/** Signals that the message is larger than a broker accepts; sending it would close the channel for others too. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError';
}
