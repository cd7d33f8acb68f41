import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { SearchIcon } from './icons.tsx';

/** The list is asked for when the typing pauses. */
const PAUSE_MS = 250;

interface SearchFieldProps {
  /** What is searched by. */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** A text by which a list is searched on the server. */
export function SearchField({ label, value, onSearch }: SearchFieldProps): ReactNode {
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
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon size={18} />}
      value={text}
      maxLength={100}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
