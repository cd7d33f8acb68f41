import { Alert } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Bullets } from '../../components/layout.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { CallFailure, isNoPermission } from '../../wire/failure.ts';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

/** The parameter of a request that the server refused; undefined if it was something else. */
export const refusedField = (error: unknown): string | undefined =>
  error instanceof CallFailure ? (error.data['field'] as string | undefined) : undefined;

/** What was wrong with a field, beside it. */
export function useFieldFault(error: unknown): (...names: readonly string[]) => string | undefined {
  const t = texts.useTexts();
  const field = refusedField(error);
  return (...names) =>
    field !== undefined && names.includes(field)
      ? t.refused(((error as CallFailure).data['expected'] as string | undefined) ?? '')
      : undefined;
}

/** What an error means where it occurs, and what to check, one by one. */
interface Meaning {
  readonly reason: string;
  readonly checks?: readonly string[] | undefined;
}

interface FaultProps {
  readonly error: unknown;
  /** Parameters whose faults are said beside their fields. */
  readonly known?: readonly string[];
  /** What it means here that something does not exist or is somebody else's. */
  readonly unknown?: Meaning;
  /** What to check here if a device is bound already. */
  readonly takenChecks?: readonly string[];
}

/** Why something could not be done, unless it is said beside a field. It comes into view, since the button may be far from it. */
export function ManageFault({ error, known, unknown, takenChecks }: FaultProps): ReactNode {
  const t = texts.useTexts();
  const { noPermission } = shared.useTexts();
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) said.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (!error || known?.includes(refusedField(error) ?? '')) return null;
  const meaning = (): Meaning => {
    if (isNoPermission(error)) return unknown ?? { reason: noPermission };
    if (!(error instanceof CallFailure)) return { reason: t.failed };
    if (error.is('deviceAlreadyBound')) return { reason: t.taken, checks: takenChecks };
    return {
      reason: error.is('collectorUnknown') ? t.unknownCollector : `${t.failed} ${error.message}`,
    };
  };
  const { reason, checks = [] } = meaning();
  return (
    <Alert ref={said} color="red" role="alert" className={styles.fault}>
      {reason}
      {checks.length > 0 && (
        <Bullets>
          {checks.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </Bullets>
      )}
    </Alert>
  );
}
