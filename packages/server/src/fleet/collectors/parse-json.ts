// What programs write for a number that there is none of, outside of texts: Python NaN and Infinity, C nan and inf.
const TEXTS_AND_NO_NUMBERS = /"(?:[^"\\]|\\.)*"|[-+]?\b(?:nan|inf(?:inity)?)\b/gi;

/** Parses JSON in which numbers may be NaN or infinite, as many programs write them; those become null. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/nan|inf/i.test(text)) throw error;
    return JSON.parse(
      text.replace(TEXTS_AND_NO_NUMBERS, (part) => (part.startsWith('"') ? part : 'null')),
    );
  }
}
