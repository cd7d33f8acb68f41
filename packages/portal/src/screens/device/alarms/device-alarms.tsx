import { useState, type ReactNode } from 'react';
import { AlarmPage } from '../../../parts/alarm/alarm-page.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';

const PAGE_SIZE = 10;

/** The alarms of a device, newest first, with what to do about them. */
export function DeviceAlarms({
  sn,
  plantId,
}: {
  readonly sn: string;
  readonly plantId: string;
}): ReactNode {
  const t = texts.useTexts();
  const [pageNo, setPageNo] = useState(1);
  const request = { plantId, deviceSn: sn, pageNo, pageSize: PAGE_SIZE };
  const { data, error, refetch, isFetching } = useOperation('alarm/list', request, {
    keepPrevious: true,
  });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.total === 0) return <Empty title={t.noAlarms} lead={t.noAlarmsLead} />;
  return (
    <AlarmPage
      data={data}
      current={pageNo}
      size={PAGE_SIZE}
      isBusy={isFetching}
      label={t.alarmsOf}
      isOfDevice
      onPage={setPageNo}
    />
  );
}
