import { styleText } from 'node:util';
import type { Io, Sink } from '../io.ts';

export type Colour = 'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold' | 'magenta';

/** Way in which texts are decorated; on anything but a terminal not at all. */
export interface Style {
  colour(text: string, colour: Colour | undefined): string;
  link(text: string, url: string | undefined): string;
}

const PLAIN: Style = { colour: (text) => text, link: (text) => text };

/** Returns the style of a stream: https://no-color.org is obeyed, and logs of CI stay plain. */
export function styleOf({ isTerminal }: Sink, { env }: Pick<Io, 'env'>): Style {
  if (!isTerminal || env['TERM'] === 'dumb') return PLAIN;
  const isPlain = isSet(env['NO_COLOR']) || isSet(env['CI']);
  return {
    colour: (text, colour) =>
      isPlain || colour === undefined ? text : styleText(colour, text, { validateStream: false }),
    link: (text, url) =>
      isPlain || url === undefined ? text : `\u001b]8;;${encodeURI(url)}\u001b\\${text}\u001b]8;;\u001b\\`,
  };
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
