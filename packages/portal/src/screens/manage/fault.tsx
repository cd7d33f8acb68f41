import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallFailure } from '../../wire/failure.ts';
import { texts } from './texts/index.ts';

/** The parameter of a request that the server refused; undefined if it was something else. */
export const refusedField = (error: unknown): string | undefined => (error instanceof CallFailure ? (error.data['field'] as string | undefined) : undefined);

/** What was wrong with a field, beside it. */
export function useFieldFault(error: unknown): (...names: readonly string[]) => string | undefined {
  const t = texts.useTexts();
  const field = refusedField(error);
  return (...names) =>
    field !== undefined && names.includes(field) ? t.refused(((error as CallFailure).data['expected'] as string | undefined) ?? '') : undefined;
}

/** Why something could not be done, unless it is said beside a field. */
export function Fault({ error, known }: { readonly error: unknown; readonly known?: readonly string[] }): ReactNode {
  const t = texts.useTexts();
  if (!error || known?.includes(refusedField(error) ?? '')) return null;
  const code = error instanceof CallFailure ? error.code : '';
  const reason = code === 'B0001' ? t.taken : code === 'B0049' ? t.unknownCollector : t.failed;
  return (
    <Alert color="red" role="alert">
      {reason} {error instanceof CallFailure && reason === t.failed && error.message}
    </Alert>
  );
}
