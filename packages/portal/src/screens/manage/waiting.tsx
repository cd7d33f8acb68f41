import { Button, NativeSelect } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import cards from '../../parts/cards.module.css';
import { texts as parts } from '../../parts/texts/index.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

type Discovery = WireData<'discovery/list'>[number];
const KINDS = ['inverter', 'epm', 'ammeter', 'weather'] as const;

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
  const { kinds } = parts.useTexts().device;
  const formats = useFormats();
  const bind = useChange('discovery/bind');
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const number = formats.number(devices.length, 0);
  const kindOf = ({ sn = '', kind }: Discovery): string => chosen[sn] ?? kind ?? 'inverter';
  const bindThese = async (these: readonly Discovery[], said: string): Promise<void> => {
    setBusy(true);
    try {
      for (const device of these) await bind.mutateAsync({ sn: device.sn!, kind: KINDS.find((kind) => kind === kindOf(device)), plantId });
      toast.show(said);
    } catch {
      // Said beneath.
    }
    setBusy(false);
  };
  return (
    <div role="group" className={styles.waiting} aria-label={t.waiting(devices.length, number, collectorSn)}>
      <h3>
        <bdi>{t.waiting(devices.length, number, collectorSn)}</bdi>
      </h3>
      {devices.length > 1 && (
        <Button loading={isBusy} onClick={() => void bindThese(devices, t.boundAll(number))}>
          {t.bindAll(number)}
        </Button>
      )}
      <ul className={cards.list}>
        {devices.map((device) => {
          const { sn = '', model } = device;
          return (
            <li key={sn} className={cards.row}>
              <div>
                <bdi>{sn}</bdi>
                {model !== undefined && <bdi className={cards.soft}>{model}</bdi>}
              </div>
              <div className={cards.actions}>
                <NativeSelect
                  aria-label={t.kindOf(sn)}
                  data={KINDS.map((kind) => ({ value: kind, label: kinds[kind] }))}
                  value={kindOf(device)}
                  onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [sn]: value })}
                />
                <Button variant="default" aria-label={`${t.bind}: ${sn}`} disabled={isBusy} onClick={() => void bindThese([device], t.bound(sn))}>
                  {t.bind}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      <Fault error={bind.error} />
    </div>
  );
}
