import { texts } from '../texts/index.ts';
import { isNoDegrees, type Field } from './degrees.ts';

/** What is wrong with a field of a position: what the server said of it, or that it cannot be degrees. */
export function usePlaceFault(
  values: Readonly<Record<Field, string>>,
  faultOf: (wire: string) => string | undefined,
): (field: Field) => string | undefined {
  const { notDegrees } = texts.useTexts();
  return (field) =>
    faultOf(field) ?? (isNoDegrees(field, values[field]) ? notDegrees[field] : undefined);
}
