import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SearchedSelectProps extends Pick<SelectProps, 'label' | 'placeholder' | 'nothingFoundMessage' | 'data' | 'error'> {
  /** Empty if nothing is chosen yet. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

// All of them at once would keep phones busy.
const SHOWN_AT_MOST = 50;

/** A choice out of hundreds, found by what is typed. */
export function SearchedSelect({ value, onChange, ...props }: SearchedSelectProps): ReactNode {
  return (
    <Select
      {...props}
      required
      searchable
      limit={SHOWN_AT_MOST}
      value={value || null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      maxDropdownHeight={320}
    />
  );
}
