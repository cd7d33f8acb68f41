import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Note, Stacked } from '../components/layout.tsx';
import { useFormats, type Shown } from '../i18n/formats.ts';
import type { Column } from './data-table.tsx';
import { StateBadge } from './state-badge.tsx';
import { texts } from './texts/index.ts';
import { useNow } from './use-now.ts';

export type DeviceRow = WireData<'device/ranking'>['page']['records'][number];

const joined = ({ value, unit }: Shown): string => `${value} ${unit}`.trim();

/** What lists of a plant's devices show of each; the keys are what the server sorts by. @param zone the plant's */
export function useDeviceColumns(plantId: string, zone: string): readonly Column<DeviceRow>[] {
  const { device: t, table } = texts.useTexts();
  const formats = useFormats();
  const now = useNow();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t.device,
        sortable: true,
        cell: ({ id, name, sn, model }) => (
          <Stacked>
            <Link to="/plants/$id/devices/$deviceId" params={{ id: plantId, deviceId: id! }}>
              <bdi>{name || sn}</bdi>
            </Link>
            <Note component="span">
              {name && name !== sn && <bdi>{sn}</bdi>}
              {name && name !== sn && model && ' · '}
              {model && <bdi>{model}</bdi>}
            </Note>
          </Stacked>
        ),
      },
      { key: 'kind', header: t.kind, sortable: true, cell: ({ kind }) => t.kinds[kind!] },
      {
        key: 'state',
        header: t.state,
        sortable: true,
        orders: table.byNeed,
        cell: ({ state, alarmCount = 0, abnormallyOffline }) => (
          <Stacked>
            <StateBadge state={state!} />
            {alarmCount > 0 && t.alarms(alarmCount, formats.number(alarmCount, 0))}
            {abnormallyOffline && t.unexpected}
          </Stacked>
        ),
      },
      {
        key: 'reported',
        header: t.lastReport,
        sortable: true,
        orders: table.byAge,
        cell: ({ lastReportAt }) =>
          lastReportAt === undefined ? (
            t.never
          ) : (
            <span title={formats.dateTime(lastReportAt, zone)}>
              {formats.ago(now - lastReportAt)}
            </span>
          ),
      },
      {
        key: 'power',
        header: t.power,
        sortable: true,
        figure: true,
        cell: ({ powerW }) => (powerW === undefined ? '' : joined(formats.power(powerW))),
      },
      {
        key: 'day',
        header: t.today,
        sortable: true,
        figure: true,
        cell: ({ dayKwh }) => (dayKwh === undefined ? '' : joined(formats.energy(dayKwh))),
      },
      {
        key: 'fullHours',
        header: t.fullHours,
        sortable: true,
        figure: true,
        cell: ({ fullHours }) =>
          fullHours === undefined ? '' : `${formats.number(fullHours, 2)} h`,
      },
    ],
    [t, table, formats, plantId, zone, now],
  );
}
