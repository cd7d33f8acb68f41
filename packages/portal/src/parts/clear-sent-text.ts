/** Empties a field whose text has been sent, unless somebody has typed on meanwhile: an answer takes until the page has been asked for again. */
export const clearSentText =
  (sent: string) =>
  (now: string): string =>
    now === sent ? '' : now;
