/**
 * One character of each kind that patterns distinguish: white space, line breaks, marks, digits, letters, and others.
 */
export const CHARACTERS: readonly string[] = [
  ...['a', 'Z', 'é', 'ß', '東', '0', '½', '_', ' ', '\t', '\n', '\r', '\u2028', '\u00a0', '\u0301', '\u200b', '\0'],
  ...['.', ',', ';', ':', '!', '?', '…', '-', '+', '*', '/', '\\', '|', '#', '@', '%', '$', '&', '=', '~', '^', '`'],
  ...['"', "'", '“', '”', '’', '«', '<', '>', '(', ')', '[', ']', '{', '}', '😀', '\ud800'],
];

/** Beginnings after which a reader of text searches for an end, counts, or looks back. */
export const BEGINNINGS: readonly string[] = [
  ...['\\"', '\\n', '\r\n', '\n\n', '. ', '! ', '? ', ', ', 'a@', '1,', '1.', '0x', '<*>', '<*>, ', '://', 'a/', 'aé'],
  ...[
    'word ',
    'a. ',
    "a'b ",
    '"a" ',
    ' "',
    '“a ',
    "'a ",
    '{"a":',
    '[{',
    '"k":"v",',
    '```\n',
    '- a\n',
    '# a\n',
    '> a\n',
  ],
  ...['Error: ', 'no ', 'that is ', 'i said ', 'your order number ', 'May ', '5 May ', 'A.b.', 'a-b-', 'deadbeef'],
  ...['from: ', 'on ', 'system ', 'ignore ', 'name is ', 'id ', 'never ', 'e.g. ', 'http://a', 'Bearer ', 'https://'],
  ...[
    '\u0301\u0316',
    '\uff9e\u0301',
    'a\u0301',
    '<!-- ',
    '<a ',
    '&amp;',
    '%20',
    'x=y&',
    'Traceback\n',
    'sk-a',
    '-----',
  ],
];

export const PIECES: readonly string[] = [...CHARACTERS, ...BEGINNINGS];

/** Characters after which a reader searches for an end, or is inside something. */
export const OPENING: readonly string[] = ['"', '(', '<', '\\', '# ', '!', ' '];
