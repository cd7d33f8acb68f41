import { Button, NativeSelect } from '@mantine/core';
import type { ShareLevel, WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import cards from '../../parts/cards.module.css';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmailField } from '../../parts/people/email-field.tsx';
import { PassOn } from '../../parts/people/pass-on.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { Fault, useFieldFault } from './fault.tsx';
import { texts } from './texts/index.ts';

interface InvitePersonProps {
  readonly plantId: string;
  /** Who may see the plant already; undefined until it is known. */
  readonly shares: WireData<'share/list'> | undefined;
}

/** Invites somebody to a plant. Who has access by themselves needs no invitation: a change of it applies at once, so it is asked about first. */
export function InvitePerson({ plantId, shares }: InvitePersonProps): ReactNode {
  const t = texts.useTexts();
  const give = useChange('share/give');
  const [email, setEmail] = useState('');
  const [level, setLevel] = useState<ShareLevel>('read');
  const [invited, setInvited] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const faultOf = useFieldFault(give.error);
  const words: Readonly<Record<ShareLevel, string>> = { control: t.mayControl, read: t.maySee };
  const had = shares?.find((share) => share.email === email.trim().toLowerCase())?.level;
  const carryOut = (): void =>
    give.mutate(
      { plantId, email, level },
      {
        onSuccess: ({ invitationId }) => {
          const isInvited = invitationId !== undefined;
          toast.show(isInvited ? t.invited(email) : t.levelChanged(email, words[level]));
          setInvited(isInvited ? email : undefined);
          setEmail('');
        },
        onSettled: () => setAsked(false),
      },
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setInvited(undefined);
    if (had === level) toast.show(t.alreadyMay(email, words[level]));
    else if (had === 'read' || had === 'control') setAsked(true);
    else carryOut();
  };
  return (
    <>
      <form onSubmit={submit} className={cards.pair}>
        <EmailField label={t.email} value={email} onChange={setEmail} error={faultOf('email')} />
        <NativeSelect
          label={t.level}
          value={level}
          onChange={(event) => setLevel(event.currentTarget.value as ShareLevel)}
          data={[
            { value: 'read', label: t.maySee },
            { value: 'control', label: t.mayControl },
          ]}
        />
        <Button type="submit" loading={give.isPending} disabled={shares === undefined}>
          {t.invite}
        </Button>
      </form>
      <Fault error={give.error} known={['email']} />
      {invited !== undefined && <PassOn email={invited} />}
      <ConfirmDialog
        opened={isAsked}
        title={t.changeLevelOf(email)}
        action={t.changeLevelTo(words[level])}
        busy={give.isPending}
        onConfirm={carryOut}
        onClose={() => setAsked(false)}
      >
        {t.alreadyMay(email, level === 'read' ? t.mayControl : t.maySee)} {t.changeLevelLead}
      </ConfirmDialog>
    </>
  );
}
