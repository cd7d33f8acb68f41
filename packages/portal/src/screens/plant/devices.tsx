import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Section } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { useDeviceColumns } from '../../parts/device-columns.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

/** Those that most need looking at; the others are on the page of the plant's devices. */
const SHOWN = 10;

interface DevicesProps {
  /** Says whether the reader may bind devices. */
  readonly mayBind: boolean;
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
}

/** The first devices of a plant, and the way to all of them. */
export function Devices({ plantId, zone, mayBind }: DevicesProps): ReactNode {
  const t = texts.useTexts().devices;
  const formats = useFormats();
  const columns = useDeviceColumns(plantId, zone);
  const { data, error } = useOperation('device/ranking', { plantId, pageNo: 1, pageSize: SHOWN });
  if (!data) return error ? <Failed error={error} /> : <Loading heights={[12]} />;
  const { records, total } = data.page;
  // Without a collector, devices that were bound by their serial numbers never report.
  const lacksCollector =
    !data.kinds?.collector && records.every(({ lastReportAt }) => !lastReportAt);
  return (
    <Section aria-labelledby="devices">
      <h2 id="devices">{t.title}</h2>
      {total === 0 ? (
        <p>{t.none}</p>
      ) : (
        <DataTable caption={t.title} columns={columns} rows={records} keyOf={({ id }) => id!} />
      )}
      {total > 0 && lacksCollector && <p>{t.noCollector}</p>}
      {lacksCollector && mayBind && (
        <Button
          variant="default"
          renderRoot={(props: object) => (
            <Link
              {...props}
              to="/plants/$id/settings"
              params={{ id: plantId }}
              search={{ bind: true }}
            />
          )}
        >
          {t.addCollector}
        </Button>
      )}
      {total > 0 && (
        <Link to="/plants/$id/devices" params={{ id: plantId }}>
          {t.all(formats.number(total, 0))}
        </Link>
      )}
    </Section>
  );
}
