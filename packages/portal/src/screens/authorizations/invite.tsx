import type { WireData } from '@helioport/contract';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Card, Choices, Soft } from '../../components/layout.tsx';
import { PlusIcon } from '../../parts/icons.tsx';
import { InvitePerson } from '../../parts/people/invite-person.tsx';
import { PlantTicks } from '../../parts/plants/plant-ticks.tsx';
import type { OwnPlants } from './plant-names.ts';
import { texts } from './texts/index.ts';

interface InviteProps {
  readonly own: OwnPlants;
  /** Who may see one's own plants. */
  readonly shares: WireData<'share/list'> | undefined;
}

/** Invites a person to one's own plants, whichever are chosen; a person with only one need not choose. */
export function Invite({ own: { plants, nameOf }, shares }: InviteProps): ReactNode {
  const t = texts.useTexts();
  const [isOpen, setOpen] = useState(false);
  const first = plants.length === 1 ? [plants[0]!.id] : [];
  const [chosen, setChosen] = useState<readonly string[]>(first);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) form.current?.querySelector('input')?.focus();
  }, [isOpen]);
  if (!isOpen) {
    return (
      <Button variant="default" leftSection={<PlusIcon size={18} />} onClick={() => setOpen(true)}>
        {t.invite}
      </Button>
    );
  }
  return (
    <Card ref={form} aria-label={t.invite}>
      <h3>{t.invite}</h3>
      <Soft>{t.inviteLead}</Soft>
      {/* The next guest may be one for other plants. */}
      <InvitePerson
        plantIds={chosen}
        shares={shares}
        nameOf={nameOf}
        onDone={() => setChosen(first)}
      >
        <Choices>
          <legend>{t.inviteTo}</legend>
          <PlantTicks
            value={chosen}
            onChange={setChosen}
            isOffered={({ level }) => level === 'owner'}
          />
        </Choices>
      </InvitePerson>
    </Card>
  );
}
