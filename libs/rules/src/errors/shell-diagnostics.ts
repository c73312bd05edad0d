/** Texts of POSIX error numbers, as C libraries print them (`strerror`) and utilities append them. */
const ERROR_NUMBERS =
  /: (?:no such (?:file or directory|process|device)|permission denied|operation not permitted|is a directory|not a directory|directory not empty|file exists|file name too long|read-only file system|no space left on device|disk quota exceeded|device or resource busy|text file busy|too many open files|argument list too long|exec format error|invalid argument|bad file descriptor|input\/output error|cannot allocate memory|broken pipe|connection (?:refused|timed out|reset by peer)|network is unreachable|no route to host|name or service not known|temporary failure in name resolution)\.?$/i;
/** Complaints of utilities about their own arguments and operands, after their name. */
const USAGE =
  /^[^:\n]{1,60}: (?:invalid|illegal|unrecogni[sz]ed|unknown|missing|extra|too (?:many|few)) (?:option|argument|operand|file operand|destination file operand|predicate|primary|command|operator|arguments|operands)\b/i;
/** Messages of shells and interpreters about the command text itself, with the number of its line. */
const COMMAND_TEXT =
  /: (?:line )?\d{1,6}: (?:[^\n]{0,200}: )?(?:command not found|not found|syntax error\b|unexpected EOF\b|unbound variable|bad substitution|ambiguous redirect)/i;
/** Line that a utility begins with its own name, perhaps with a path and the role of a child process. */
const BEGINS_WITH_NAME = /^[\w./+-]{1,60}(?: \([a-z]{1,20}\))?: \S/i;
/** Advice that utilities print after an error about their usage. */
const ADVICE = /^(?:try ['‘`]|usage: )/i;
/** Errors of git and of Debian's package tools; a bare letter could be one of several answers to choose from. */
const MARKED = /^(?:fatal: \S|E: (?:unable|could not|failed|package|sub-process|invalid|the)\b)/i;

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 300;

/**
 * Returns the line in which a utility or a shell tells its error; undefined if the text holds other output too, such as
 * the files that a search found beside a folder that it could not read.
 */
export function shellDiagnosticIn(text: string): string | undefined {
  const lines = text
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_LENGTH).trim())
    .filter((line) => line !== '');
  const last = lines.at(-1) ?? '';
  if (MARKED.test(last)) return last;
  if (!lines.every((line) => isError(line) || BEGINS_WITH_NAME.test(line) || ADVICE.test(line))) return undefined;
  return lines.find(isError);
}

function isError(line: string): boolean {
  return COMMAND_TEXT.test(line) || USAGE.test(line) || (BEGINS_WITH_NAME.test(line) && isAboutOperand(line));
}

/** Whether the line names what the error is about: `reason: permission denied` in a record is no message of a program. */
function isAboutOperand(line: string): boolean {
  return ERROR_NUMBERS.test(line) && line.indexOf(': ') < line.lastIndexOf(': ');
}
