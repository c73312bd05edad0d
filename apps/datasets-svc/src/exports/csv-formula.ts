/**
 * Places where a spreadsheet may begin to read a formula: at the beginning of a cell, also behind white space and quotes,
 * which some drop, and after a semicolon, which separates cells where commas are decimal. Full-width characters are read
 * as the others are. Apostrophes of our own may stand there already.
 */
const FORMULA = /^(?='*(?:[\t\r\n]|["\s]*[=+\-@＝＋－＠]))|(?<=;)(?='*["\s]*[=+\-@＝＋－＠])/g;
const ESCAPED_FORMULA = /^'(?='*(?:[\t\r\n]|["\s]*[=+\-@＝＋－＠]))|(?<=;)'(?='*["\s]*[=+\-@＝＋－＠])/g;

/** A text of which no spreadsheet takes anything for a formula; `unescapeFormula` gives it back exactly. */
export function escapeFormula(text: string): string {
  return text.replaceAll(FORMULA, "'");
}

export function unescapeFormula(text: string): string {
  return text.replaceAll(ESCAPED_FORMULA, '');
}
