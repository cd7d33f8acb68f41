// What programs write for a number that there is none of: Python NaN and Infinity, C nan and inf.
const NO_NUMBER = /[-+]?\b(?:nan|inf(?:inity)?)\b/gi;
// To the end of a text, after its opening quote. Sticky: it is tried in one place, and the search goes on after what it has read.
const REST_OF_TEXT = /(?:[^"\\]|\\.)*"/sy;

/** Parses JSON in which numbers may be NaN or infinite, as many programs write them; those become null. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/nan|inf/i.test(text)) throw error;
    const read = withNulls(text);
    if (read === undefined) throw error;
    return JSON.parse(read);
  }
}

/** The JSON with null for what is no number, outside of texts; undefined if a text does not end. Reads each character once. */
function withNulls(json: string): string | undefined {
  const parts: string[] = [];
  for (let from = 0; ;) {
    const quote = json.indexOf('"', from);
    parts.push(json.slice(from, quote < 0 ? undefined : quote).replace(NO_NUMBER, 'null'));
    if (quote < 0) return parts.join('');
    REST_OF_TEXT.lastIndex = quote + 1;
    if (!REST_OF_TEXT.test(json)) return undefined;
    from = REST_OF_TEXT.lastIndex;
    parts.push(json.slice(quote, from));
  }
}
