import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Actions, Stacked } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { useKnownPlants } from '../../parts/plants/known-plants.ts';
import { useAccount } from '../../session/session-context.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { keyStateOf, type Key } from './key-state.ts';
import { texts } from './texts/index.ts';

const KINDS = {
  waiting: 'plain',
  active: 'good',
  expiring: 'warn',
  expired: 'over',
  disabled: 'over',
} as const;

interface KeyListProps {
  readonly keys: readonly Key[];
  /** Without these, the key pairs are over. */
  readonly onReplace?: (key: Key) => void;
  readonly onDisable?: (key: Key) => void;
}

/** The key pairs of an account: what each may do, when and from where it was last used, and how long it lasts. */
export function KeyList({ keys, onReplace, onDisable }: KeyListProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const now = serverNow();
  const columns: readonly Column<Key>[] = [
    {
      key: 'label',
      header: t.columns.key,
      cell: ({ label, keyId }) => (
        <Stacked>
          <bdi>{label || t.unnamed}</bdi>
          <code>{keyId}</code>
          {onReplace && label && <Namesake keys={keys} label={label} keyId={keyId!} />}
        </Stacked>
      ),
    },
    {
      key: 'state',
      header: t.columns.state,
      cell: (key) => {
        const state = keyStateOf(key, now);
        return (
          <Stacked>
            <Badge kind={KINDS[state]}>{t.states[state]}</Badge>
            {key.disabledAt !== undefined && (
              <small>{formats.dateTime(key.disabledAt, timeZone)}</small>
            )}
          </Stacked>
        );
      },
    },
    {
      key: 'may',
      header: t.columns.may,
      cell: ({ canControl, plantIds, cidrs }) => (
        <Stacked>
          {canControl ? t.permission.control : t.permission.read}
          {plantIds ? <PlantNames ids={plantIds} /> : <small>{t.allPlants}</small>}
          {cidrs && <small>{t.from(cidrs.join(', '))}</small>}
        </Stacked>
      ),
    },
    {
      key: 'used',
      header: t.columns.used,
      cell: ({ lastUsedAt, lastUsedAddress }) =>
        lastUsedAt === undefined ? (
          t.neverUsed
        ) : (
          <Stacked>
            {formats.ago(now - lastUsedAt)}
            <small>{lastUsedAddress}</small>
          </Stacked>
        ),
    },
    {
      key: 'expires',
      header: t.columns.expires,
      cell: ({ expiresAt }) =>
        expiresAt === undefined ? t.form.lifetimes.never : formats.dateTime(expiresAt, timeZone),
    },
  ];
  const changes: Column<Key> | undefined = onReplace &&
    onDisable && {
      key: 'actions',
      header: t.columns.actions,
      cell: (key) => (
        <Actions component="span">
          <Button
            size="xs"
            variant="default"
            onClick={() => onReplace(key)}
            aria-label={`${t.replaceShort}: ${key.label ?? ''} ${key.keyId}`}
          >
            {t.replaceShort}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => onDisable(key)}
            aria-label={`${t.disable}: ${key.label ?? ''} ${key.keyId}`}
          >
            {t.disable}
          </Button>
        </Actions>
      ),
    };
  return (
    <DataTable
      caption={t.title}
      columns={changes ? [...columns, changes] : columns}
      rows={keys}
      keyOf={({ keyId }) => keyId!}
    />
  );
}

/** Enough to tell key pairs apart. */
const NAMED = 5;

function PlantNames({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const t = texts.useTexts();
  const { nameOf } = useKnownPlants();
  return (
    <>
      {ids.slice(0, NAMED).map((id) => (
        <small key={id}>
          <bdi>{nameOf(id)}</bdi>
        </small>
      ))}
      {ids.length > NAMED && <small>{t.andMore(ids.length - NAMED)}</small>}
    </>
  );
}

interface NamesakeProps {
  /** Newest first. */
  readonly keys: readonly Key[];
  readonly label: string;
  readonly keyId: string;
}

/** Which of several key pairs of one name it is: a replacement has the name of the one that it replaces. */
function Namesake({ keys, label, keyId }: NamesakeProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [newest, ...older] = keys.filter((key) => key.label === label);
  if (!newest || older.length === 0) return null;
  if (newest.keyId === keyId)
    return <small>{t.newest(formats.dateTime(newest.createdAt, timeZone))}</small>;
  const { expiresAt } = older.find((key) => key.keyId === keyId)!;
  return (
    <small>
      {expiresAt === undefined ? t.older : t.olderUntil(formats.dateTime(expiresAt, timeZone))}
    </small>
  );
}
