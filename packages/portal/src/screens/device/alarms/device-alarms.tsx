import { useState, type ReactNode } from 'react';
import { useFormats, UNKNOWN } from '../../../i18n/formats.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';

const PAGE_SIZE = 10;
const STATES = ['pending', 'processed', 'restored'] as const;
const LEVELS = ['tip', 'general', 'emergency'] as const;

/** The alarms of a device, with what to do about them. */
export function DeviceAlarms({ sn, plantId, zone }: { readonly sn: string; readonly plantId: string; readonly zone: string }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const [pageNo, setPageNo] = useState(1);
  const request = { stationId: plantId, alarmDeviceSn: sn, pageNo, pageSize: PAGE_SIZE };
  const { data, error, refetch, isFetching } = useOperation('alarmList', request, { keepPrevious: true });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.total === 0) return <Empty title={t.noAlarms} lead={t.noAlarmsLead} />;
  return (
    <DataTable
      caption={t.alarmsOf}
      columns={[
        { key: 'alarm', header: t.alarm, cell: ({ alarmMsg, alarmCode }) => <bdi>{alarmMsg ?? alarmCode}</bdi> },
        {
          key: 'level',
          header: t.state,
          cell: ({ state, alarmLevel }) =>
            `${t.alarmLevels[LEVELS[Number(alarmLevel) - 1] ?? 'general']}, ${t.alarmStates[STATES[Number(state)] ?? 'pending']}`,
        },
        { key: 'began', header: t.began, cell: ({ alarmBeginTime }) => formats.dateTime(alarmBeginTime, zone) },
        { key: 'ended', header: t.ended, cell: ({ alarmEndTime }) => (alarmEndTime === undefined ? UNKNOWN : formats.dateTime(alarmEndTime, zone)) },
        { key: 'advice', header: t.advice, cell: ({ advice }) => <bdi>{advice ?? UNKNOWN}</bdi> },
      ]}
      rows={data.records}
      keyOf={({ id }) => id!}
      page={{ current: pageNo, size: PAGE_SIZE, total: data.total }}
      onPage={setPageNo}
      busy={isFetching}
    />
  );
}
