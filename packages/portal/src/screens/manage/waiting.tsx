import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import cards from '../../parts/cards.module.css';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

type Discovery = WireData<'discovery/list'>[number];

/** Soon after a collector is bound, it reports what is behind it; nobody is told of that live. */
const REFRESH_MS = 10_000;

/** What the collectors of a plant have reported and nobody has bound, by collector, to be bound together or one by one. */
export function Waiting({ plantId }: { readonly plantId: string }): ReactNode {
  const { data: waiting = [] } = useOperation('discovery/list', { plantId }, { refreshMs: REFRESH_MS });
  const byCollector = [...Map.groupBy(waiting, ({ collectorSn = '' }) => collectorSn)];
  return byCollector.map(([collectorSn, devices]) => <OfCollector key={collectorSn} plantId={plantId} collectorSn={collectorSn} devices={devices} />);
}

interface OfCollectorProps {
  readonly plantId: string;
  readonly collectorSn: string;
  readonly devices: readonly Discovery[];
}

function OfCollector({ plantId, collectorSn, devices }: OfCollectorProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const bind = useChange('addDevice');
  const serials = devices.map(({ sn = '' }) => sn);
  const number = formats.number(serials.length, 0);
  // With the last of them, the list goes from the page before that is dealt with: promises outlive it.
  const bindThese = (these: readonly string[], said: string): void =>
    void bind.mutateAsync({ id: plantId, sn: [...these] }).then(
      () => toast.show(said),
      () => undefined,
    );
  return (
    <div role="group" className={styles.waiting} aria-label={t.waiting(serials.length, number, collectorSn)}>
      <h3>
        <bdi>{t.waiting(serials.length, number, collectorSn)}</bdi>
      </h3>
      {serials.length > 1 && (
        <Button loading={bind.isPending} onClick={() => bindThese(serials, t.boundAll(number))}>
          {t.bindAll(number)}
        </Button>
      )}
      <ul className={cards.list}>
        {serials.map((sn) => (
          <li key={sn} className={cards.row}>
            <div>
              <bdi>{sn}</bdi>
            </div>
            <Button variant="default" aria-label={`${t.bind}: ${sn}`} loading={bind.isPending} onClick={() => bindThese([sn], t.bound(sn))}>
              {t.bind}
            </Button>
          </li>
        ))}
      </ul>
      <Fault error={bind.error} />
    </div>
  );
}
