import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { SearchIcon } from '../../parts/icons.tsx';
import styles from './console.module.css';
import { texts } from './texts/index.ts';

interface SearchFormProps {
  readonly label: string;
  /** What is searched for at this moment. */
  readonly value: string | undefined;
  /** Takes what was typed; undefined = nothing. */
  readonly onSearch: (text: string | undefined) => void;
  /** Further filters, which take effect at once. */
  readonly children?: ReactNode;
}

/** Searches by a text, once it was typed: each search is a question to the server. */
export function SearchForm({ label, value, onSearch, children }: SearchFormProps): ReactNode {
  const t = texts.useTexts();
  const [typed, setTyped] = useState(value ?? '');
  const [former, setFormer] = useState(value);
  // The address may change by other ways, such as back.
  if (value !== former) {
    setFormer(value);
    setTyped(value ?? '');
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(typed.trim() || undefined);
  };
  return (
    <form role="search" className={styles.search} onSubmit={submit}>
      <TextInput
        label={label}
        type="search"
        value={typed}
        maxLength={64}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {children}
      <Button type="submit" leftSection={<SearchIcon size={18} />}>
        {t.search}
      </Button>
    </form>
  );
}
