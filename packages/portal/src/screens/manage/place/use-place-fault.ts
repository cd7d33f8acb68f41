import { texts } from '../texts/index.ts';
import { isNoDegrees, type DegreesField } from './degrees.ts';

/** What is wrong with a field of a position: what the server said of it, or that it cannot be degrees. */
export function usePlaceFault(
  values: Readonly<Record<DegreesField, string>>,
  faultOf: (wire: string) => string | undefined,
): (field: DegreesField) => string | undefined {
  const { notDegrees } = texts.useTexts();
  return (field) =>
    faultOf(field) ?? (isNoDegrees(field, values[field]) ? notDegrees[field] : undefined);
}
