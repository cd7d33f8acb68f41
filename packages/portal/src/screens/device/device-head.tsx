import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { LeftIcon } from '../../parts/icons.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useNow } from '../../parts/use-now.ts';
import { useOperation } from '../../wire/queries.ts';
import type { About } from './about.ts';
import type { DeviceKind } from './device.ts';
import styles from './device.module.css';
import { SignalBars } from './signal-bars.tsx';
import { texts } from './texts/index.ts';

interface HeadProps {
  readonly kind: DeviceKind;
  readonly about: About;
  readonly plantName: string;
  /** The plant's zone. */
  readonly zone: string;
}

/** What a device is, where it stands, and how it is. */
export function DeviceHead({ kind, about, plantName, zone }: HeadProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const now = useNow();
  const { plantId, name, sn, model, state, reportedAt, firmware, collectorId } = about;
  const reported =
    reportedAt === undefined
      ? t.never
      : `${formats.dateTime(reportedAt, zone)} (${formats.ago(now - reportedAt)})`;
  return (
    <header className={styles.head}>
      <Link to="/plants/$id" params={{ id: plantId }} className={styles.back}>
        <LeftIcon size={16} />
        <bdi>{plantName}</bdi>
      </Link>
      <div className={styles.title}>
        <h1>
          <bdi>{name ?? sn}</bdi>
        </h1>
        <StateBadge state={state} />
        <span className={styles.kind}>
          {t.kinds[kind]}
          {model && (
            <>
              {' · '}
              <bdi>{model}</bdi>
            </>
          )}
        </span>
      </div>
      <dl className={styles.facts}>
        {/* Without a name, it is the title. */}
        {name !== undefined && (
          <Fact name={t.serialNumber}>
            <bdi>{sn}</bdi>
          </Fact>
        )}
        <Fact name={t.lastReport}>{reported}</Fact>
        {firmware.length > 0 && (
          <Fact name={t.firmware}>
            <bdi>{firmware.join(' · ')}</bdi>
          </Fact>
        )}
        {collectorId && <CollectorFacts plantId={plantId} collectorId={collectorId} />}
      </dl>
    </header>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The collector that reports for the device, and its signal. */
function CollectorFacts({
  plantId,
  collectorId,
}: {
  readonly plantId: string;
  readonly collectorId: string;
}): ReactNode {
  const t = texts.useTexts();
  const { data } = useOperation('collectorDetail', { id: collectorId });
  if (!data) return null;
  return (
    <>
      <Fact name={t.collector}>
        <Link to="/plants/$id/devices/$deviceId" params={{ id: plantId, deviceId: collectorId }}>
          <bdi>{data.name ?? data.sn}</bdi>
        </Link>
      </Fact>
      {data.rssi !== undefined && (
        <Fact name={t.signal}>
          <SignalBars bars={data.rssiLevel ?? 0} dbm={data.rssi} />
        </Fact>
      )}
    </>
  );
}
