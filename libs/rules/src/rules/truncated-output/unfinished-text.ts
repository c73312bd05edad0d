const FENCE = /^[ \t]{0,3}(?:`{3,}|~{3,})/gm;
/** Shorter texts may end in any way: headings, names, signatures. */
const MIN_SENTENCE_LENGTH = 200;
const MAX_JSON_LENGTH = 1_000_000;
const LAST_LINE_LENGTH = 1000;
/** Labelled lines such as `Regards: Kim` and `Total: 12 euros` are complete. */
const MAX_LABELLED_LINE = 60;

/** Tells whether a fenced code block is opened and not closed. */
export function hasOpenCodeFence(content: string): boolean {
  return Array.from(content.matchAll(FENCE)).length % 2 === 1;
}

/** Tells whether the text is a JSON object or array whose end is missing. */
export function isCutJson(content: string): boolean {
  const text = content.trim();
  if (text.length < 20 || text.length > MAX_JSON_LENGTH || !/^(?:\{\s*"|\[\s*[{["\d])/.test(text)) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      // Text after the JSON shows that the JSON was complete.
      if (depth === 0) return false;
    }
  }
  return depth > 0;
}

/** Tells whether a prose text stops in the middle of a sentence. */
export function endsMidSentence(content: string): boolean {
  const text = content.trimEnd();
  if (text.length < MIN_SENTENCE_LENGTH || hasOpenCodeFence(text)) return false;
  const lastLine = (text.slice(-LAST_LINE_LENGTH).split('\n').at(-1) ?? '').trim();
  // Lists, headings, tables, code, links and signatures end without a full stop.
  if (lastLine.length < 25 || /^(?:[-*•#|>`~]|\d+[.)]|\p{L}[.)]\s)/u.test(lastLine) || endsInLink(lastLine))
    return false;
  if (lastLine.length < MAX_LABELLED_LINE && /^\*\*|^\p{Lu}[^:]{0,40}:\s/u.test(lastLine)) return false;
  return /[\p{Ll},]$/u.test(lastLine);
}

function endsInLink(line: string): boolean {
  return /https?:\/\/\S/.test(line.split(/\s/).at(-1) ?? '');
}
