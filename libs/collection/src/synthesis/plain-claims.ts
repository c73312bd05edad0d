/** Marks of lists, headings and quotations at the beginning of a line. */
const LINE_MARKS = /^[\s>#*•–—-]{0,20}(?:\d{1,3}[.)](?=\s))?\s{0,10}/u;
/** "I'll" is the word "I" and no name. */
const CONTRACTED_I = /\bI['’](?:m|ll|ve|d)\b/g;
const TIME = /(?<![\d.:])(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m\b/gi;
const DECIMALS = /(?<=\d)\.(\d{1,2})(?!\.?\d)/g;

/**
 * Words of a text as the checks of names and numbers read them: without the marks of its layout, each line a sentence of
 * its own. The number in front of an entry of a list is no claim.
 */
export function plainClaims(text: string): string {
  const lines = text.replaceAll(/\*\*|__|`/g, '').split('\n');
  const sentences = lines.map((line) => line.replace(LINE_MARKS, '').trim()).filter((line) => line !== '');
  return plainNumbers(sentences.join('. ').replaceAll(CONTRACTED_I, 'I'));
}

/** Text with its numbers in one form: "20.00" is 20, "20.50" is 20.5, and "1 pm" is 13:00. */
export function plainNumbers(text: string): string {
  return plainTimes(text).replaceAll(DECIMALS, (_, decimals: string) => {
    const left = decimals.replace(/0{1,2}$/, '');
    return left === '' ? '' : `.${left}`;
  });
}

function plainTimes(text: string): string {
  return text.replaceAll(TIME, (_, hour: string, minute: string | undefined, half: string) => {
    const ofDay = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return `${ofDay}:${minute ?? '00'}`;
  });
}
