import { OPENING, PIECES } from './pieces.ts';

/** A text of any length that drives careless readers into work that grows faster than the text. */
export interface HostileText {
  readonly name: string;
  /** The text of about `length` UTF-16 code units. */
  of(length: number): string;
}

/** A beginning, then a run of one piece, then an end that keeps what would match the run from matching. */
export function runOf(piece: string, { before = '', after = '' } = {}): HostileText {
  return {
    name: [before, `${piece}…`, after]
      .filter((part) => part !== '')
      .map((part) => JSON.stringify(part))
      .join(' + '),
    of: (length) => before + repeated(piece, length) + after,
  };
}

/** A run of one piece, and then one of another, each half of the text. */
export function runsOf(first: string, second: string): HostileText {
  return {
    name: `${JSON.stringify(`${first}…`)} + ${JSON.stringify(`${second}…`)}`,
    of: (length) => repeated(first, length / 2) + repeated(second, length / 2),
  };
}

/** A run of each piece. */
export function hostileRuns(): HostileText[] {
  return PIECES.map((piece) => runOf(piece));
}

/** Runs of each piece, alone and after each of the characters that begin something; and runs of one after another. */
export function twoPieceTexts(): HostileText[] {
  const opened = OPENING.flatMap((before) => PIECES.map((piece) => runOf(piece, { before })));
  const halves = OPENING.flatMap((first) => PIECES.map((second) => runsOf(first, second)));
  return [...hostileRuns(), ...opened, ...halves];
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}
