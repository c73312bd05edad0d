/**
 * Places where a spreadsheet may start to read a formula: at the beginning of a cell, also after white space and
 * quotes, which some spreadsheets drop; and after a semicolon, which separates cells where the comma is the decimal
 * sign. Full-width characters count like the usual ones. Apostrophes of an earlier escape may already stand there.
 */
const FORMULA = /^(?='*(?:[\t\r\n]|["\s]*[=+\-@＝＋－＠]))|(?<=;)(?='*["\s]*[=+\-@＝＋－＠])/g;
const ESCAPED_FORMULA = /^'(?='*(?:[\t\r\n]|["\s]*[=+\-@＝＋－＠]))|(?<=;)'(?='*["\s]*[=+\-@＝＋－＠])/g;

/** Escapes a text so that no spreadsheet takes any part of it for a formula; `unescapeFormula` restores it exactly. */
export function escapeFormula(text: string): string {
  return text.replaceAll(FORMULA, "'");
}

export function unescapeFormula(text: string): string {
  return text.replaceAll(ESCAPED_FORMULA, '');
}
