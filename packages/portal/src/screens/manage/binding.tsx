import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Card, Fields, Soft } from '../../components/layout.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSession } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { ManageFault, useFieldFault } from './fault.tsx';
import { texts } from './texts/index.ts';
import { Unbinding } from './unbinding.tsx';
import { useArrival } from './use-arrival.ts';
import { WaitingDiscoveries } from './waiting.tsx';

interface BindingProps {
  readonly plantId: string;
  /** Serial number of the device that somebody has come for. */
  readonly device: string | undefined;
  /** Whether somebody has come to bind one. */
  readonly toBind: boolean;
}

/** The devices of a plant, and the ways to bring others into it: by serial number, with a collector's token, or from those that its collectors have reported. */
export function Binding({ plantId, device, toBind }: BindingProps): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const add = useChange('addDevice');
  const [sn, setSn] = useState('');
  const [token, setToken] = useState('');
  const faultOf = useFieldFault(add.error);
  const { unknownDevice, compareSerial, collectorFirst, collectorEntered } = t;
  // Who came to add a collector, or has its token, has no inverter in hand.
  const isCollector = toBind || token.trim() !== '';
  const unknown = {
    reason: unknownDevice,
    checks: [compareSerial, ...(isCollector ? [] : [collectorFirst]), collectorEntered],
  };
  const retype = (write: () => void): void => {
    write();
    add.reset();
  };
  const serial = useRef<HTMLInputElement>(null);
  const section = useArrival(device !== undefined || toBind, () => {
    if (toBind) serial.current?.focus();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(
      { id: plantId, sn: sn.trim(), collectorToken: token.trim() },
      {
        onSuccess: () => {
          toast.show(t.bound(sn));
          setSn('');
          setToken('');
        },
      },
    );
  };
  return (
    <Card id="devices" ref={section} aria-label={t.devices}>
      <h2>{t.devices}</h2>
      <Unbinding plantId={plantId} device={device} onUnbound={setSn} />
      <h3>{t.bindTitle}</h3>
      <Soft>{t.devicesLead}</Soft>
      <div>
        <Link to="/plants/$id/connect" params={{ id: plantId }}>
          {t.connect}
        </Link>
      </div>
      <Soft>
        {t.reportTo} <code dir="ltr">{session?.gatewayUrl}</code>
      </Soft>
      <Fields onSubmit={submit} component="form">
        <TextInput
          ref={serial}
          required
          withAsterisk={false}
          maxLength={64}
          label={t.serial}
          value={sn}
          onChange={({ currentTarget: { value } }) => retype(() => setSn(value))}
          error={faultOf('sn')}
        />
        <TextInput
          label={t.token}
          value={token}
          onChange={({ currentTarget: { value } }) => retype(() => setToken(value))}
          error={faultOf('collectorToken')}
          autoComplete="off"
        />
        <Button type="submit" loading={add.isPending}>
          {t.bind}
        </Button>
      </Fields>
      <ManageFault
        error={add.error}
        known={['sn', 'collectorToken']}
        unknown={unknown}
        takenChecks={[...t.takenChecks, t.reportedFirst]}
      />
      <WaitingDiscoveries plantId={plantId} />
    </Card>
  );
}
