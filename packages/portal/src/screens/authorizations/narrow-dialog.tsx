import { Alert, Button, Checkbox } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Choices, Form, Soft } from '../../components/layout.tsx';
import { Dialog } from '../../focus/dialog.tsx';
import { PlantChoice } from '../../parts/plants/plant-choice.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import type { Grant } from './application-card.tsx';
import { Ending } from './ending.tsx';
import { plantIdsOf, type OwnPlants } from './plant-names.ts';
import { texts } from './texts/index.ts';

interface NarrowDialogProps {
  readonly grant: Grant;
  readonly own: OwnPlants;
  readonly onClose: () => void;
}

/** Takes away a part of what an application may do: it never gets more here. */
export function NarrowDialog({ grant, own, onClose }: NarrowDialogProps): ReactNode {
  const t = texts.useTexts();
  const narrow = useChange('grant/narrow');
  const before = grant.scopes ?? [];
  const [scopes, setScopes] = useState<readonly string[]>(before);
  const [plantIds, setPlantIds] = useState<readonly string[] | null>(null);
  // Of a fleet too large to be listed, only what is searched for is offered.
  const among = plantIdsOf(grant, own);
  const isSame =
    scopes.length === before.length &&
    (plantIds === null ||
      (grant.plantIds !== undefined && plantIds.length === grant.plantIds.length));
  const isNothing = scopes.length === 0 || plantIds?.length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    narrow.mutate(
      { id: grant.id!, scopes: [...scopes], ...(plantIds && { plantIds: [...plantIds] }) },
      {
        onSuccess: () => {
          toast.show(t.narrowed(grant.applicationName ?? ''));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t.narrowTitle}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Form onSubmit={submit}>
        <p>
          <bdi>{grant.applicationName}</bdi>
        </p>
        <Choices>
          <legend>{t.mayDo}</legend>
          {before.map((scope) => (
            <Checkbox
              key={scope}
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setScopes(
                  event.currentTarget.checked
                    ? before.filter((one) => one === scope || scopes.includes(one))
                    : scopes.filter((one) => one !== scope),
                )
              }
              label={t.scopes[scope as keyof typeof t.scopes] ?? scope}
            />
          ))}
        </Choices>
        <PlantChoice
          label={t.keeps}
          value={plantIds}
          onChange={setPlantIds}
          among={among}
          first={among ?? undefined}
        />
        <Ending
          applicationName={grant.applicationName ?? ''}
          plantIds={
            scopes.includes('control_device')
              ? (among ?? []).filter((id) => plantIds !== null && !plantIds.includes(id))
              : (among ?? [])
          }
          nameOf={own.nameOf}
        />
        {narrow.error && (
          <Alert color="red" role="alert">
            {narrow.error.message}
          </Alert>
        )}
        <Soft>{scopes.length === 0 ? t.nothingLeft : t.narrowLead}</Soft>
        <Actions end>
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={narrow.isPending} disabled={isSame || isNothing}>
            {t.narrow}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
