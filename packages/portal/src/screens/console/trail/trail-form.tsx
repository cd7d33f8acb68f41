import { Button, NativeSelect, TextInput } from '@mantine/core';
import { plantlessKinds } from '@helioport/contract/audit-kinds';
import { useState, type FormEvent, type ReactNode } from 'react';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { SearchIcon } from '../../../parts/icons.tsx';
import type { TrailSearch } from '../search.ts';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';

/** All kinds of events that this page can show, by what they are about. */
const KINDS = [...new Set(plantlessKinds.map((kind) => kind.split('.')[0]!))].map((group) => ({
  group,
  items: plantlessKinds.filter((kind) => kind.startsWith(`${group}.`)),
}));

/** Searches the trail by time, kind, who did it and whom it concerns. */
export function TrailForm({
  search,
  onSearch,
}: {
  readonly search: TrailSearch;
  readonly onSearch: (search: TrailSearch) => void;
}): ReactNode {
  const all = texts.useTexts();
  const t = all.trail;
  const [typed, setTyped] = useState(search);
  const [former, setFormer] = useState(search);
  // The address may change by other ways, such as back.
  if (search !== former) {
    setFormer(search);
    setTyped(search);
  }
  const type = (more: TrailSearch): void => setTyped((given) => ({ ...given, ...more }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { from, to, kind, actor, email } = typed;
    onSearch({
      from: from || undefined,
      to: to || undefined,
      kind: kind || undefined,
      actor: actor?.trim() || undefined,
      email: email?.trim() || undefined,
    });
  };
  return (
    <form role="search" className={styles.search} onSubmit={submit}>
      <DateTimeField
        type="date"
        label={t.from}
        value={typed.from ?? ''}
        onChange={({ currentTarget: { value } }) => type({ from: value })}
      />
      <DateTimeField
        type="date"
        label={t.to}
        value={typed.to ?? ''}
        onChange={({ currentTarget: { value } }) => type({ to: value })}
      />
      <NativeSelect
        label={t.kind}
        value={typed.kind ?? ''}
        onChange={({ currentTarget: { value } }) => type({ kind: value })}
        data={[{ value: '', label: all.all }, ...KINDS]}
      />
      <TextInput
        label={t.actor}
        value={typed.actor ?? ''}
        maxLength={254}
        onChange={({ currentTarget: { value } }) => type({ actor: value })}
      />
      <TextInput
        label={t.email}
        value={typed.email ?? ''}
        maxLength={254}
        onChange={({ currentTarget: { value } }) => type({ email: value })}
      />
      <Button type="submit" leftSection={<SearchIcon size={18} />}>
        {all.search}
      </Button>
    </form>
  );
}
