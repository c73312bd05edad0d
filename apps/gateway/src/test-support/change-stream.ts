import { ChangeEvent } from '@clew/contracts';
import { eventually } from '@clew/testing';

/** Stream of changes as a page hears it. */
export interface TestListener {
  readonly status: number;
  readonly headers: Headers;
  /** Events so far. */
  readonly events: readonly ChangeEvent[];
  /** Whole text so far, with comments and pauses. */
  text(): string;
  hasEnded(): boolean;
  /** Resolves once an event of the type has arrived, about the thing if one is named. */
  hears(type: ChangeEvent['type'], id?: string | null): Promise<void>;
  ends(): Promise<void>;
  stop(): void;
}

const LINE = /^data: (.*)$/gm;

/** Listens to a project until the stream ends or is stopped. */
export async function listenTo(url: string, projectId: string, headers: Record<string, string>): Promise<TestListener> {
  const controller = new AbortController();
  const { signal } = controller;
  const response = await fetch(`${url}/v1/projects/${projectId}/events`, { headers, signal });
  let [text, hasEnded] = ['', false];
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  };
  void read()
    .catch(() => undefined)
    .finally(() => (hasEnded = true));
  const eventsSoFar = () =>
    [...text.slice(0, text.lastIndexOf('\n\n') + 2).matchAll(LINE)].map(([, data = '']) =>
      ChangeEvent.parse(JSON.parse(data)),
    );
  const soon = (check: () => boolean, what: string) =>
    eventually(
      () => {
        if (!check()) throw new Error(`the stream has not ${what}: ${text.slice(-500)}`);
      },
      { timeoutMs: 15_000 },
    );
  return {
    ...{ status: response.status, headers: response.headers, text: () => text, hasEnded: () => hasEnded },
    get events() {
      return eventsSoFar();
    },
    hears: (type, id) =>
      soon(
        () => eventsSoFar().some((event) => event.type === type && (id === undefined || event.id === id)),
        `told of ${type}`,
      ),
    ends: () => soon(() => hasEnded, 'ended'),
    stop: () => controller.abort(),
  };
}
