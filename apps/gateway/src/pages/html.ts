/** Piece of HTML. Only `markup` makes one, and it escapes every text, so that nothing else gets into a page. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Renders a template; see `markup`. */
  static render(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    return new Html(String.raw({ raw: strings }, ...values.map(rendered)));
  }

  toString(): string {
    return this.#text;
  }
}

/** Value in a template: pieces of HTML stay what they are, lists are joined, everything else is text. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/**
 * Template of HTML: `` markup`<p>${text}</p>` ``. Values stand in the text of elements and in quoted attributes, never in
 * a script, a style or the name of anything.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.render(strings, values);
}

function rendered(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string') return escaped(value);
  return typeof value === 'number' ? String(value) : value.map(rendered).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
