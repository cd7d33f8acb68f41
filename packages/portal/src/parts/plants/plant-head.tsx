import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { useSession } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { activeSupport } from '../../wire/support.ts';
import { Badge } from '../badge.tsx';
import { LeftIcon } from '../icons.tsx';
import styles from './plant-head.module.css';
import { stateWith } from './connection.ts';
import { PlantNav } from './plant-nav.tsx';
import { StateBadge, stateOf, type State } from '../state-badge.tsx';
import { texts } from '../texts/index.ts';
import { useNow } from '../use-now.ts';

/** The head of every page of a plant: its name, its state, what time it is there, when it was heard of last, and its pages. */
export function PlantHead({ plant }: { readonly plant: WireData<'stationDetail'> }): ReactNode {
  const t = texts.useTexts().plant;
  const formats = useFormats();
  const now = useNow();
  const account = useSession().session?.account;
  const state = useStateOf(plant);
  const isOwner = account?.id === plant.userId;
  const { data: may } = useOperation(
    'control/state',
    { plantId: String(plant.id) },
    { enabled: !isOwner && !activeSupport() },
  );
  const zone = plant.timeZoneId ?? 'UTC';
  const reportedAt = Number(plant.dataTimestamp) || undefined;
  return (
    <header className={styles.head}>
      <Link to="/" className={styles.back}>
        <LeftIcon size={16} />
        {t.all}
      </Link>
      <div className={styles.title}>
        <h1>
          <bdi>{plant.stationName}</bdi>
        </h1>
        {state && <StateBadge state={stateWith(state, plant.connection)} />}
        {may?.mayRead === false && <Badge kind="plain">{t.viewOnly}</Badge>}
      </div>
      <p className={styles.facts}>
        {plant.addr && <bdi>{plant.addr}</bdi>}
        <span>{t.localTime(formats.time(now, zone), formats.zone(zone, now))}</span>
        {reportedAt !== undefined && (
          <span title={formats.dateTime(reportedAt, zone)}>
            {t.lastReport(formats.ago(now - reportedAt))}
          </span>
        )}
      </p>
      <PlantNav plantId={String(plant.id)} hasSettings={isOwner || account?.role === 'installer'} />
    </header>
  );
}

/** The state of a plant, as the list of plants has it: the record of a plant says offline of one without devices. Undefined until that is known. */
function useStateOf({ id, state, dataTimestamp }: WireData<'stationDetail'>): State | undefined {
  const told = stateOf(state);
  const isUnsure = told === 'offline' && !dataTimestamp;
  const { data, error } = useOperation(
    'device/ranking',
    { plantId: String(id), pageNo: 1, pageSize: 10 },
    { enabled: isUnsure },
  );
  if (!isUnsure || error) return told;
  return data && (data.page.total === 0 ? 'building' : told);
}
