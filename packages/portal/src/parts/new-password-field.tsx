import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts/index.ts';

interface NewPasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly size?: 'sm' | 'md';
  /** The id of what says why it was refused. */
  readonly faultId?: string | undefined;
}

/** A password that somebody chooses: the server takes 10 to 1,024 characters. */
export function NewPasswordField({
  label,
  value,
  onChange,
  size = 'sm',
  faultId,
}: NewPasswordFieldProps): ReactNode {
  const t = texts.useTexts();
  return (
    <PasswordInput
      label={label}
      description={t.newPassword.hint}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
      required
      minLength={10}
      maxLength={1024}
      size={size}
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t.newPassword.show }}
      aria-describedby={faultId}
    />
  );
}
