import { Alert, type AlertProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallFailure } from '../../wire/failure.ts';

interface RefusalAlertProps extends AlertProps {
  readonly error: Error | null;
}

/** Why something was not carried out: in the words of the server, which are English, or in those of the page if it could not be reached. */
export function RefusalAlert({ error, ...props }: RefusalAlertProps): ReactNode {
  return (
    error && (
      <Alert color="red" role="alert" {...props}>
        {error instanceof CallFailure ? <bdi lang="en">{error.message}</bdi> : error.message}
      </Alert>
    )
  );
}
