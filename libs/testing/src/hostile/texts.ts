import { OPENING, PIECES } from './pieces.ts';

/** Whether every combination is tried; it takes about five times as long. */
export const ALL_TEXTS = process.env['CLEW_HOSTILE_TEXTS'] === 'all';
const QUICK_STEP = 6;

/** Text of any length that drives careless readers into superlinear work. */
export interface HostileText {
  readonly name: string;
  /** Builds the text of about `length` UTF-16 code units. */
  of(length: number): string;
}

/** Text with a beginning, a run of one piece, and an end that prevents a match of the run. */
export function runOf(piece: string, { before = '', after = '' } = {}): HostileText {
  return {
    name: [before, `${piece}…`, after]
      .filter((part) => part !== '')
      .map((part) => JSON.stringify(part))
      .join(' + '),
    of: (length) => before + repeated(piece, length) + after,
  };
}

/** Text with a run of one piece, then a run of another, each half of the text. */
export function runsOf(first: string, second: string): HostileText {
  return {
    name: `${JSON.stringify(`${first}…`)} + ${JSON.stringify(`${second}…`)}`,
    of: (length) => repeated(first, length / 2) + repeated(second, length / 2),
  };
}

/** Lists a run of each piece. */
export function hostileRuns(): HostileText[] {
  return PIECES.map((piece) => runOf(piece));
}

/**
 * Lists runs of each piece, alone and after opening characters; and runs of one after another. With all openings in the
 * long tier (`CLEW_HOSTILE_TEXTS=all`); otherwise each piece has one or two of them.
 */
export function twoPieceTexts(): HostileText[] {
  const pairs = OPENING.flatMap((opening, row) =>
    PIECES.filter((_, column) => ALL_TEXTS || (row + column) % QUICK_STEP === 0).map(
      (piece) => [opening, piece] as const,
    ),
  );
  const opened = pairs.map(([before, piece]) => runOf(piece, { before }));
  const halves = pairs.map(([first, second]) => runsOf(first, second));
  return [...hostileRuns(), ...opened, ...halves];
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}
