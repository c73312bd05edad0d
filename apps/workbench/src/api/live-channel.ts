/** State of the connection on which changes are heard. */
export type LiveState = 'heard' | 'cut';

/** Message from the tab that hears changes to the others. */
export type LiveMessage<Change> =
  { readonly kind: 'change'; readonly change: Change } | { readonly kind: 'state'; readonly state: LiveState };

export interface LiveChannelOptions<Change> {
  /** Name that tabs of the same project share. */
  readonly name: string;
  /** Hears changes for a while, as the one tab that does, or until the signal ends it. */
  readonly listen: (tell: (message: LiveMessage<Change>) => void, signal: AbortSignal) => Promise<void>;
  /** Takes what this tab, or the one that hears for it, was told. */
  /** Waits before this tab wants to hear again. */
  readonly rest: (signal: AbortSignal) => Promise<void>;
  readonly onMessage: (message: LiveMessage<Change>) => void;
  readonly signal: AbortSignal;
  /** Locks of the browser; a page without them, since it is not served over TLS, hears by itself. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly openChannel: (name: string) => Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'>;
}

/**
 * Shares one connection between all tabs of a browser, which has six for each host: the tab that gets the lock hears,
 * and tells the others. When it is closed, or gives up, the next one hears.
 */
export async function shareLiveChanges<Change>(options: LiveChannelOptions<Change>): Promise<void> {
  const { name, listen, rest, onMessage, signal, locks, openChannel } = options;
  const channel = openChannel(name);
  channel.onmessage = ({ data }: MessageEvent<LiveMessage<Change>>) => onMessage(data);
  const tell = (message: LiveMessage<Change>) => {
    onMessage(message);
    channel.postMessage(message);
  };
  try {
    while (!signal.aborted) {
      const turn = () => listen(tell, signal);
      await (locks === undefined ? turn() : locks.request(name, { signal }, turn));
      if (!signal.aborted) await rest(signal);
    }
  } catch (error) {
    // A tab that leaves the project no longer waits for the lock.
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}
