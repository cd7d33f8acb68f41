import type { JsonSchema } from '@helioport/contract';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { CodeText } from '../../parts/developer/code-text.tsx';
import type { OfferedThings } from './own-things.ts';
import { texts } from './texts/index.ts';

interface FormFieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly value: string;
  readonly offered: readonly OfferedThings[];
  readonly onChange: (value: string) => void;
}

/** A parameter of an operation, by its schema: a choice, a list of objects as JSON, or text; ids of one's own are offered. */
export function FormField({
  name,
  schema,
  required,
  value,
  offered,
  onChange,
}: FormFieldProps): ReactNode {
  const t = texts.useTexts();
  const listId = useId();
  const { description, enum: choices, type, default: byDefault } = schema;
  const common = {
    label: required ? `${name} (${t.required})` : name,
    description: description && <CodeText text={description} />,
    value,
  };
  if (choices)
    return (
      <NativeSelect
        {...common}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: t.unset },
          ...choices.map((choice) => ({ value: String(choice), label: String(choice) })),
        ]}
      />
    );
  if (type === 'array')
    return (
      <Textarea
        {...common}
        rows={3}
        placeholder="[…]"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const isNumber = type === 'integer' || type === 'number';
  return (
    <>
      <TextInput
        {...common}
        autoComplete="off"
        spellCheck={false}
        {...(isNumber && { inputMode: 'decimal' as const })}
        {...((typeof byDefault === 'number' || typeof byDefault === 'string') && {
          placeholder: String(byDefault),
        })}
        {...(offered.length > 0 && { list: listId })}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {offered.length > 0 && (
        <datalist id={listId}>
          {offered.map(({ value: id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
