import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { RefusalAlert } from '../../../parts/forms/refusal-alert.tsx';
import { useWaiting } from '../../../parts/plants/use-waiting.ts';
import { toast } from '../../../parts/toast.tsx';
import { CallFailure, isNoPermission } from '../../../wire/failure.ts';
import { useChange } from '../../../wire/queries.ts';
import type { Device } from '../device.ts';
import { texts } from '../texts/index.ts';

/** Puts another device in the place of this one, whose history it continues. */
export function Replacement({ device }: { readonly device: Device }): ReactNode {
  const t = texts.useTexts().setUp;
  const navigate = useNavigate();
  const { sn, kind, plant } = device;
  const isCollector = kind === 'collector';
  const [isOpen, setOpen] = useState(false);
  const [by, setBy] = useState('');
  const [collectorToken, setToken] = useState('');
  const waiting = useWaiting(plant.id, { enabled: isOpen && !isCollector });
  const { mutate, error, isPending, reset } = useChange('device/replace');
  const close = (): void => {
    reset();
    setOpen(false);
  };
  const carryOut = (): void =>
    mutate(
      {
        plantId: plant.id,
        sn,
        by: by.trim(),
        ...(collectorToken.trim() && { collectorToken: collectorToken.trim() }),
      },
      {
        onSuccess: ({ id }) => {
          toast.show(t.replaced(by.trim()));
          setOpen(false);
          void navigate({
            to: '/plants/$id/devices/$deviceId',
            params: { id: plant.id, deviceId: id! },
          });
        },
      },
    );
  const said = isNoPermission(error)
    ? new Error(t.unknown)
    : error instanceof CallFailure && error.is('deviceAlreadyBound')
      ? new Error(t.taken)
      : error;
  return (
    <div>
      <Button mt="sm" variant="default" onClick={() => setOpen(true)}>
        {t.replace}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={<bdi>{t.replaceOne(device.name ?? sn)}</bdi>}
        action={t.replaceNow}
        busy={isPending}
        disabled={by.trim() === ''}
        onConfirm={carryOut}
        onClose={close}
      >
        <p>{isCollector ? t.replaceCollector : t.replaceLead}</p>
        {waiting.length > 0 && (
          <NativeSelect
            label={t.waiting}
            value={waiting.some((one) => one.sn === by) ? by : ''}
            onChange={({ currentTarget: { value } }) => setBy(value)}
            data={[
              { value: '', label: t.choose },
              ...waiting.map((one) => ({ value: one.sn!, label: one.sn! })),
            ]}
          />
        )}
        <TextInput
          mt="sm"
          label={t.by}
          maxLength={64}
          value={by}
          onChange={({ currentTarget: { value } }) => setBy(value)}
        />
        {isCollector && (
          <TextInput
            mt="sm"
            label={t.token}
            autoComplete="off"
            value={collectorToken}
            onChange={({ currentTarget: { value } }) => setToken(value)}
          />
        )}
        <RefusalAlert error={said} />
      </ConfirmDialog>
    </div>
  );
}
