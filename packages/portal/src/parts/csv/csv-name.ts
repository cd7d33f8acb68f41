/** The name of a CSV file from what it is about, such as a plant and a day: letters, digits, points and dashes alone, since names come from people. */
export const csvName = (...parts: readonly string[]): string =>
  `${parts
    .map((part) =>
      part
        .normalize('NFC')
        .replaceAll(/[^\p{L}\p{M}\p{N}.-]+/gu, '-')
        .replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, '')
        .slice(0, 60),
    )
    .filter((part) => part !== '')
    .join('_')}.csv`;
