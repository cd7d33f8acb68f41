import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty, Failed } from '../../parts/states.tsx';
import { CallFailure } from '../../wire/failure.ts';
import { texts } from './texts/index.ts';

/** What is shown instead of a page of the console: most often, that a second factor is missing. */
export function ConsoleFault({
  error,
  again,
}: {
  readonly error: unknown;
  readonly again: () => void;
}): ReactNode {
  const t = texts.useTexts();
  if (!(error instanceof CallFailure && error.is('factorMissing')))
    return <Failed error={error} again={again} />;
  return (
    <Empty title={t.noFactor} lead={t.noFactorLead}>
      <Button renderRoot={(props) => <Link to="/account" {...props} />}>{t.toAccount}</Button>
    </Empty>
  );
}
