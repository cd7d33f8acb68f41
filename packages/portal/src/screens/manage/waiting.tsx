import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import cards from '../../parts/cards.module.css';
import { LinkWay } from '../../parts/link/link-way.tsx';
import { useWaiting, type AwaitedReport as Device } from '../../parts/plants/use-waiting.ts';
import { texts as parts } from '../../parts/texts/index.ts';
import { toast } from '../../parts/toast.tsx';
import { change } from '../../wire/call.ts';
import { ManageFault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

const KINDS = ['inverter', 'epm', 'ammeter', 'weather'] as const;

/** What the collectors of a plant have reported and nobody has bound, by collector, to be bound together or one by one. */
export function WaitingDiscoveries({ plantId }: { readonly plantId: string }): ReactNode {
  const waiting = useWaiting(plantId);
  const byCollector = [...Map.groupBy(waiting, ({ collectorSn = '' }) => collectorSn)];
  return byCollector.map(([collectorSn, devices]) => (
    <OfCollector key={collectorSn} plantId={plantId} collectorSn={collectorSn} devices={devices} />
  ));
}

interface OfCollectorProps {
  readonly plantId: string;
  readonly collectorSn: string;
  readonly devices: readonly Device[];
}

function OfCollector({ plantId, collectorSn, devices }: OfCollectorProps): ReactNode {
  const t = texts.useTexts();
  const { kinds } = parts.useTexts().device;
  const formats = useFormats();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const number = formats.number(devices.length, 0);
  const kindOf = ({ sn = '', kind }: Device): string => chosen[sn] ?? kind ?? 'inverter';
  // With the last of them, the list goes from the page before that is dealt with: what a mutation itself does outlives it.
  const bind = useMutation({
    mutationFn: async ({ these }: { readonly these: readonly Device[]; readonly said: string }) => {
      for (const device of these)
        await change('discovery/bind', {
          sn: device.sn!,
          kind: KINDS.find((kind) => kind === kindOf(device)),
          plantId,
        });
    },
    onSuccess: (_, { said }) => toast.show(said),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <div
      role="group"
      className={styles.waiting}
      aria-label={t.waiting(devices.length, number, collectorSn)}
    >
      <h3>
        <bdi>{t.waiting(devices.length, number, collectorSn)}</bdi>
      </h3>
      {devices.length > 1 && (
        <Button
          loading={bind.isPending}
          onClick={() => bind.mutate({ these: devices, said: t.boundAll(number) })}
        >
          {t.bindAll(number)}
        </Button>
      )}
      <ul className={cards.list}>
        {devices.map((device) => {
          const { sn = '', model, link, kept = 0 } = device;
          return (
            <li key={sn} className={cards.row}>
              <div>
                <bdi>{sn}</bdi>
                {model !== undefined && <bdi className={cards.soft}>{model}</bdi>}
                {kept > 0 && (
                  <span className={cards.soft}>
                    {t.keptReadings(kept, formats.number(kept, 0))}
                  </span>
                )}
                {link && (
                  <span className={cards.soft}>
                    <LinkWay link={link} />
                  </span>
                )}
              </div>
              <div className={cards.actions}>
                <NativeSelect
                  aria-label={t.kindOf(sn)}
                  data={KINDS.map((kind) => ({ value: kind, label: kinds[kind] }))}
                  value={kindOf(device)}
                  onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [sn]: value })}
                />
                <Button
                  variant="default"
                  aria-label={`${t.bind}: ${sn}`}
                  disabled={bind.isPending}
                  onClick={() => bind.mutate({ these: [device], said: t.bound(sn) })}
                >
                  {t.bind}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      <ManageFault error={bind.error} takenChecks={[t.reportedFirst]} />
    </div>
  );
}
