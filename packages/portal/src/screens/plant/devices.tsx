import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, type Shown } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import styles from './devices.module.css';
import { usePlantDevices } from './plant-devices.ts';
import { texts } from './texts/index.ts';

const joined = ({ value, unit }: Shown): string => `${value} ${unit}`.trim();

/** The devices of a plant, of all kinds. */
export function Devices({ plantId }: { readonly plantId: string }): ReactNode {
  const t = texts.useTexts().devices;
  const formats = useFormats();
  const { devices, total, error } = usePlantDevices(plantId);
  if (!devices) return error ? <Failed error={error} /> : <Loading />;
  return (
    <section className={styles.devices} aria-labelledby="devices">
      <h2 id="devices">{t.title}</h2>
      {devices.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <DataTable
          caption={t.title}
          columns={[
            {
              key: 'device',
              header: t.device,
              cell: ({ id, name, sn }) => (
                <span className={styles.name}>
                  <Link to="/plants/$id/devices/$deviceId" params={{ id: plantId, deviceId: id }}>
                    <bdi>{name || sn}</bdi>
                  </Link>
                  {name && name !== sn && <bdi className={styles.serial}>{sn}</bdi>}
                </span>
              ),
            },
            { key: 'kind', header: t.kind, cell: ({ kind, model }) => [t.kinds[kind], model].filter(Boolean).join(' · ') },
            { key: 'state', header: t.state, cell: ({ state }) => <StateBadge state={state} /> },
            { key: 'power', header: t.power, figure: true, cell: ({ watts }) => (watts === undefined ? '' : joined(formats.power(watts))) },
            { key: 'today', header: t.today, figure: true, cell: ({ dayKwh }) => (dayKwh === undefined ? '' : joined(formats.energy(dayKwh))) },
          ]}
          rows={devices}
          keyOf={({ id }) => id}
        />
      )}
      {total > devices.length && <p className={styles.serial}>{t.more(formats.number(devices.length, 0), formats.number(total, 0))}</p>}
    </section>
  );
}
