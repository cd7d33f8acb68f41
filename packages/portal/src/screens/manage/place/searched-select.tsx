import {
  defaultOptionsFilter,
  Select,
  type ComboboxItem,
  type OptionsFilter,
  type SelectProps,
} from '@mantine/core';
import type { ReactNode } from 'react';

interface SearchedSelectProps extends Pick<
  SelectProps,
  'label' | 'description' | 'placeholder' | 'nothingFoundMessage' | 'data' | 'error'
> {
  /** Empty if nothing is chosen yet. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

// All of them at once would keep phones busy.
const SHOWN_AT_MOST = 50;

/** How many of those before the chosen one are seen with it. */
const BEFORE = 5;

/** What is found; as long as nothing is typed, the neighbours of what is chosen. */
const found =
  (value: string): OptionsFilter =>
  (asked) => {
    const at =
      asked.search.trim() === ''
        ? (asked.options as ComboboxItem[]).findIndex((option) => option.value === value)
        : -1;
    const first = Math.max(0, Math.min(at - BEFORE, asked.options.length - asked.limit));
    return at === -1
      ? (defaultOptionsFilter(asked) as ReturnType<OptionsFilter>)
      : (asked.options as ComboboxItem[]).slice(first, first + asked.limit);
  };

/** A choice out of hundreds, found by what is typed. */
export function SearchedSelect({ value, onChange, ...props }: SearchedSelectProps): ReactNode {
  return (
    <Select
      {...props}
      required
      searchable
      limit={SHOWN_AT_MOST}
      filter={found(value)}
      value={value || null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      maxDropdownHeight={320}
    />
  );
}
