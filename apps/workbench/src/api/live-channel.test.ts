import { describe, expect, it } from '@jest/globals';
import { shareLiveChanges, type LiveMessage } from './live-channel.ts';

type Told = LiveMessage<string>;

/** Browser with one lock and channels between its tabs. */
function createBrowser() {
  let last: Promise<unknown> = Promise.resolve();
  const channels = new Set<{ onmessage: ((event: MessageEvent<Told>) => void) | null }>();
  const locks = {
    request(_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) {
      const left = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      const turn = last.then(() => (signal.aborted ? undefined : work()));
      last = Promise.race([turn, left]).catch(() => undefined);
      return Promise.race([turn, left]);
    },
  } as unknown as Pick<LockManager, 'request'>;
  const openChannel = () => {
    const channel = {
      onmessage: null as ((event: MessageEvent<Told>) => void) | null,
      postMessage(data: unknown) {
        for (const other of channels) {
          if (other !== channel) other.onmessage?.({ data } as MessageEvent<Told>);
        }
      },
      close: () => channels.delete(channel),
    };
    channels.add(channel);
    return channel as unknown as BroadcastChannel;
  };
  return { locks, openChannel, openChannels: channels };
}

function openTab({ locks, openChannel }: Omit<ReturnType<typeof createBrowser>, 'openChannels'>) {
  const end = new AbortController();
  const told: Told[] = [];
  const turns: { tell: (message: Told) => void; stop: () => void }[] = [];
  const rests: (() => void)[] = [];
  const ended = shareLiveChanges<string>({
    ...{ name: 'changes', signal: end.signal, locks, openChannel },
    listen: (tell, signal) =>
      new Promise((resolve) => {
        turns.push({ tell, stop: resolve });
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    rest: () => new Promise((resolve) => void rests.push(resolve)),
    onMessage: (message) => void told.push(message),
  });
  return { told, turns, rests, close: () => end.abort(), ended };
}

const change = (name: string): Told => ({ kind: 'change', change: name });
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('tabs of one browser', () => {
  it('have one connection, and hear the same', async () => {
    const browser = createBrowser();
    const tabs = [openTab(browser), openTab(browser), openTab(browser)];
    await settled();
    expect(tabs.map(({ turns }) => turns.length)).toEqual([1, 0, 0]);
    tabs[0]!.turns[0]!.tell(change('finding'));
    expect(tabs.map(({ told }) => told)).toEqual(Array(3).fill([change('finding')]));
    for (const tab of tabs) tab.close();
  });

  it('pass the connection on when the tab that has it is closed, or rests', async () => {
    const browser = createBrowser();
    const [first, second, third] = [openTab(browser), openTab(browser), openTab(browser)];
    await settled();
    first.close();
    await first.ended;
    await settled();
    expect([second.turns.length, third.turns.length]).toEqual([1, 0]);
    second.turns[0]!.stop();
    await settled();
    expect([second.rests.length, third.turns.length]).toEqual([1, 1]);
    third.turns[0]!.tell(change('later'));
    expect([first.told, second.told]).toEqual([[], [change('later')]]);
    for (const tab of [second, third]) tab.close();
  });

  it('leave nothing open once they are closed', async () => {
    const browser = createBrowser();
    const tabs = [openTab(browser), openTab(browser)];
    await settled();
    for (const tab of tabs) tab.close();
    await tabs[1]!.ended;
    expect(browser.openChannels.size).toBeLessThanOrEqual(1);
  });

  it('without locks hear by themselves', async () => {
    const browser = createBrowser();
    const tabs = [1, 2].map(() => openTab({ ...browser, locks: undefined as never }));
    await settled();
    expect(tabs.map(({ turns }) => turns.length)).toEqual([1, 1]);
    for (const tab of tabs) tab.close();
  });
});
