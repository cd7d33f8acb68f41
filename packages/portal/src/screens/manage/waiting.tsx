import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Actions, List, Note, Row, Section } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { LinkWay } from '../../parts/link/link-way.tsx';
import { useWaiting, type AwaitedReport as Device } from '../../parts/plants/use-waiting.ts';
import { texts as parts } from '../../parts/texts/index.ts';
import { toast } from '../../parts/toast.tsx';
import { change } from '../../wire/call.ts';
import { ManageFault } from './fault.tsx';
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
    <Section
      role="group"
      component="div"
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
      <List divided>
        {devices.map((device) => {
          const { sn = '', model, link, kept = 0 } = device;
          return (
            <Row key={sn} component="li">
              <div>
                <bdi>{sn}</bdi>
                {model !== undefined && <Note component="bdi">{model}</Note>}
                {kept > 0 && (
                  <Note component="span">{t.keptReadings(kept, formats.number(kept, 0))}</Note>
                )}
                {link && (
                  <Note component="span">
                    <LinkWay link={link} />
                  </Note>
                )}
              </div>
              <Actions>
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
              </Actions>
            </Row>
          );
        })}
      </List>
      <ManageFault error={bind.error} takenChecks={[t.reportedFirst]} />
    </Section>
  );
}
