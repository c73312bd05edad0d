const MAX_NAME = 300;

/** Models of a chat: one, or two that are compared. */
export interface ChatSearch {
  readonly model?: string;
  readonly compare?: string;
}

/** Reads the models from an address. A model is not compared with itself. */
export function parseChatSearch(given: Readonly<Record<string, unknown>>): ChatSearch {
  const model = nameOf(given['model']);
  const compare = nameOf(given['compare']);
  return {
    ...(model === undefined ? {} : { model }),
    ...(compare === undefined || compare === model ? {} : { compare }),
  };
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : undefined;
}
