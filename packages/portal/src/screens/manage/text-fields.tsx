import { TextInput, type TextInputProps } from '@mantine/core';
import { useState, type ReactNode, type SetStateAction } from 'react';
import { useFieldFault } from './fault.tsx';

interface TextFields<Values> {
  readonly values: Values;
  readonly change: (name: keyof Values, value: SetStateAction<string>) => void;
  /** The field of a value, with what was wrong with it. `wire`: the parameter's name, if it is another. */
  readonly field: (
    name: keyof Values & string,
    label: string,
    more?: TextInputProps,
    wire?: string,
  ) => ReactNode;
  readonly faultOf: (wire: string) => string | undefined;
}

/** The text fields of a form, whose values are kept together. @param error of the request that the form makes */
export function useTextFields<Values extends Readonly<Record<string, string>>>(
  initial: () => Values,
  error: unknown,
): TextFields<Values> {
  const [values, setValues] = useState(initial);
  const faultOf = useFieldFault(error);
  const change = (name: keyof Values, value: SetStateAction<string>): void =>
    setValues((old) => ({
      ...old,
      [name]: typeof value === 'function' ? value(old[name]!) : value,
    }));
  return {
    values,
    change,
    field: (name, label, more = {}, wire = name) => (
      <TextInput
        label={label}
        value={values[name]}
        onChange={(event) => change(name, event.currentTarget.value)}
        error={faultOf(wire)}
        {...more}
      />
    ),
    faultOf,
  };
}

/** A number as people write it, with a comma or a point. */
export const decimal = (text: string): string => text.trim().replace(',', '.');

/** For fields of such numbers. */
export const DECIMAL_FIELD = {
  inputMode: 'decimal',
  pattern: String.raw`\s*\d+([.,]\d+)?\s*`,
} as const satisfies TextInputProps;
