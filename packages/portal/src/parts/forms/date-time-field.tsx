import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './date-time-field.module.css';

interface DateTimeFieldProps extends TextInputProps {
  readonly type: 'date' | 'time' | 'datetime-local';
  readonly value: string;
}

/**
 * A day, a clock time or both, read as the app writes them: browsers write them as they are set up themselves, whatever the language of the page. While it is
 * typed into, the browser's own parts are shown.
 */
export function DateTimeField({ type, value, ...props }: DateTimeFieldProps): ReactNode {
  const formats = useFormats();
  return (
    <TextInput
      {...props}
      type={type}
      value={value}
      classNames={{ wrapper: styles.wrapper!, input: styles.input!, section: styles.section! }}
      leftSection={<span className={styles.shown}>{formats.field(type, value)}</span>}
      leftSectionPointerEvents="none"
      leftSectionWidth="0.75rem"
    />
  );
}
