// What moves the cursor, recolours or turns text around. Names, messages of devices and cells of files come from other people, and a terminal obeys.
const OBEYED = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** A text for a terminal, which shows the replacement character for what it would obey instead. */
export const printable = (text: string): string => text.replaceAll(OBEYED, '\ufffd');

/** JSON for a terminal: the same value, with escapes for what JSON lets stand. */
export const printableJson = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
