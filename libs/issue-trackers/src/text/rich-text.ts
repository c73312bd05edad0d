/** Part of a line. Plain strings, too, may hold words of others: every renderer takes their effect away. */
export type Span = string | { text: string; style: 'strong' | 'code' } | { text: string; href: string };

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; spans: readonly Span[] }
  | { kind: 'list'; ordered: boolean; items: readonly (readonly Span[])[] }
  /** Words of a conversation, shown as they are. */
  | { kind: 'quote'; text: string };

/** Text of an issue or comment, independent of the markup of a provider. */
export type RichText = readonly Block[];
