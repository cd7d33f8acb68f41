/** Units that the wire writes in another language than English, and what they mean. */
export const unitMeanings: Readonly<Record<string, string>> = { 棵: 'trees' };

/** A unit for people: with its meaning, where it needs one. */
export const explainedUnit = (unit: string): string => (unitMeanings[unit] === undefined ? unit : `${unit} (${unitMeanings[unit]})`);
