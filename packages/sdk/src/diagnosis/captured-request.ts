/** An HTTP request as it was sent. */
export interface CapturedRequest {
  readonly method: string;
  /** Path with query, as sent. */
  readonly target: string;
  /** Name, value, name, value ... as sent, including repeated headers. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

/** All values of a header. `name` in lower case. */
export const valuesOf = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.flatMap((header, i) =>
    i % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[i + 1]!] : [],
  );

/** The first value of a header. `name` in lower case. */
export const valueOf = (rawHeaders: readonly string[], name: string): string | undefined =>
  valuesOf(rawHeaders, name)[0];
