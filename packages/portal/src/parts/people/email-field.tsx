import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmailFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (email: string) => void;
  readonly error?: string | undefined;
}

/** The e-mail address of somebody else, who is invited. */
export const EmailField = ({ onChange, ...props }: EmailFieldProps): ReactNode => (
  <TextInput
    type="email"
    required
    withAsterisk={false}
    maxLength={254}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...props}
  />
);
