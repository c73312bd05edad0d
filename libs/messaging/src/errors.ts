/** The broker cannot be reached, or did not confirm in time: the message may or may not have been taken. */
export class BrokerUnavailableError extends Error {
  override readonly name = 'BrokerUnavailableError';
}

/** The broker refused the message, since a queue that it is for is full. It is on no queue, or not on all of them. */
export class PublishRejectedError extends Error {
  override readonly name = 'PublishRejectedError';
}

/** No queue is bound for the message; the broker has dropped it. */
export class UnroutableMessageError extends Error {
  override readonly name = 'UnroutableMessageError';
}

/** The message is larger than a broker takes; sending it would close the channel under the others. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError';
}
