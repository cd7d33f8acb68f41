/** A text of a device or a rule, with a capital at its beginning. */
export const sentence = (text: string): string =>
  text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
