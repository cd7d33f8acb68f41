import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { SearchIcon } from '../../parts/icons.tsx';
import { texts } from './texts/index.ts';

/** The list is asked for when the typing pauses. */
const PAUSE_MS = 250;

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

export function SearchField({ value, onSearch }: SearchFieldProps): ReactNode {
  const t = texts.useTexts();
  const [text, setText] = useState(value);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const change = (next: string): void => {
    setText(next);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => onSearch(next.trim()), PAUSE_MS);
  };
  return (
    <TextInput
      type="search"
      aria-label={t.search}
      placeholder={t.search}
      leftSection={<SearchIcon size={18} />}
      value={text}
      maxLength={100}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
