import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { SearchIcon } from '../../../parts/icons.tsx';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';

/** What the trail is searched for; times in epoch milliseconds. */
export interface TrailSearch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly kind?: string | undefined;
  readonly actor?: string | undefined;
  readonly email?: string | undefined;
}

const DAY_MS = 86_400_000;

/** What operators most often look for, by its name in the trail. */
const KINDS = [
  ['account.created', 'account.disabled', 'account.enabled', 'account.passwordChanged', 'account.resetLinkSent', 'account.roleChanged'],
  ['logIn.succeeded', 'logIn.refused', 'session.ended', 'factor.reset'],
  ['key.created', 'key.disabled', 'grant.given', 'grant.revoked'],
  ['application.submitted', 'application.approved', 'application.rejected', 'application.disabled'],
  ['collector.tokenIssued', 'collector.tokensRevoked'],
].flat();

const dayStart = (day: string): number | undefined => (day === '' ? undefined : Date.parse(`${day}T00:00:00Z`));

/** Searches the trail by time, kind, who did it and whom it concerns. */
export function TrailForm({ onSearch }: { readonly onSearch: (search: TrailSearch) => void }): ReactNode {
  const all = texts.useTexts();
  const t = all.trail;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [kind, setKind] = useState('');
  const [actor, setActor] = useState('');
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const end = dayStart(to);
    onSearch({
      from: dayStart(from),
      to: end === undefined ? undefined : end + DAY_MS,
      kind: kind || undefined,
      actor: actor.trim() || undefined,
      email: email.trim() || undefined,
    });
  };
  return (
    <form role="search" className={styles.search} onSubmit={submit}>
      <TextInput type="date" label={t.from} value={from} onChange={({ currentTarget: { value } }) => setFrom(value)} />
      <TextInput type="date" label={t.to} value={to} onChange={({ currentTarget: { value } }) => setTo(value)} />
      <NativeSelect label={t.kind} value={kind} onChange={({ currentTarget: { value } }) => setKind(value)} data={[{ value: '', label: all.all }, ...KINDS]} />
      <TextInput label={t.actor} value={actor} maxLength={254} onChange={({ currentTarget: { value } }) => setActor(value)} />
      <TextInput label={t.email} value={email} maxLength={254} onChange={({ currentTarget: { value } }) => setEmail(value)} />
      <Button type="submit" leftSection={<SearchIcon size={18} />}>
        {all.search}
      </Button>
    </form>
  );
}
