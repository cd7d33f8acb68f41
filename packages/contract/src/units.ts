/** Units that are not in English on the wire, and what they mean. */
export const unitMeanings: Readonly<Record<string, string>> = { 棵: 'trees' };

/** A unit as shown to people, with its meaning if that is needed. */
export const explainedUnit = (unit: string): string =>
  unitMeanings[unit] === undefined ? unit : `${unit} (${unitMeanings[unit]})`;
