import type { ReactNode } from 'react';
import { Card, Soft } from '../../../components/layout.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import { ArraysForm } from './arrays-form.tsx';

const INVERTERS_AT_MOST = 100;

/** How the modules of a plant are mounted, which says what the sun allows. */
export function Arrays({
  plantId,
  capacityKwp,
}: {
  readonly plantId: string;
  readonly capacityKwp: number;
}): ReactNode {
  const t = texts.useTexts().arrays;
  const known = useOperation('plant/arrays', { plantId });
  const inverters = useOperation('device/ranking', {
    plantId,
    kind: 'inverter',
    pageNo: 1,
    pageSize: INVERTERS_AT_MOST,
  });
  const error = known.error ?? inverters.error;
  const again = (): void => void Promise.all([known.refetch(), inverters.refetch()]);
  return (
    <Card id="arrays" aria-label={t.title}>
      <h2>{t.title}</h2>
      <Soft>{t.lead}</Soft>
      {known.data && inverters.data ? (
        <ArraysForm
          plantId={plantId}
          capacityKwp={capacityKwp}
          known={known.data}
          inverters={inverters.data.page.records.map(({ sn, name }) => ({
            sn: sn!,
            name: name ?? sn!,
          }))}
        />
      ) : error ? (
        <Failed error={error} again={again} />
      ) : (
        <Loading />
      )}
    </Card>
  );
}
