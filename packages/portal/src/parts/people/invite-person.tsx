import { Alert, Button, NativeSelect } from '@mantine/core';
import type { ShareLevel, WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Fields } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { type CallFailure, isAbout } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { clearSentText } from '../clear-sent-text.ts';
import { toast } from '../toast.tsx';
import { EmailField } from './email-field.tsx';
import { PassOn } from './pass-on.tsx';
import { texts } from './texts/index.ts';

interface InvitePersonProps {
  /** One's own plants to which somebody is invited. */
  readonly plantIds: readonly string[];
  /** Who may see them; undefined until that is known. */
  readonly shares: WireData<'share/list'> | undefined;
  /** Their names, where it is not clear which they are. */
  readonly nameOf?: (plantId: string) => string;
  /** Called once it is done. */
  readonly onDone?: () => void;
  /** What is chosen besides. */
  readonly children?: ReactNode;
}

/** Invites somebody to plants. Who has access by themselves needs no invitation: a change of it applies at once, so it is asked about first. */
export function InvitePerson({
  plantIds,
  shares,
  nameOf,
  onDone,
  children,
}: InvitePersonProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const give = useChange('share/give');
  const [email, setEmail] = useState('');
  const [level, setLevel] = useState<ShareLevel>('read');
  const [invited, setInvited] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const words: Readonly<Record<ShareLevel, string>> = {
    install: t.mayInstall,
    control: t.mayControl,
    read: t.maySee,
  };
  const levelIn = (plantId: string): string | undefined =>
    shares?.find((share) => share.plantId === plantId && share.email === email.trim().toLowerCase())
      ?.level;
  const toChange = plantIds.filter((id) => levelIn(id) !== level);
  const changed = toChange.filter((id) => levelIn(id) !== undefined && levelIn(id) !== 'owner');
  const formerly = [...new Set(changed.map((id) => levelIn(id) as ShareLevel))];
  const namesOf = (ids: readonly string[]): string =>
    nameOf ? formats.list(ids.map(nameOf)) : t.thisPlant;
  const carryOut = async (): Promise<void> => {
    let isInvited = false;
    for (const plantId of toChange) {
      // oxlint-disable-next-line no-await-in-loop -- a refusal of one is said before the next
      const { invitationId } = await give.mutateAsync({ plantId, email, level });
      isInvited ||= invitationId !== undefined;
    }
    toast.show(
      isInvited ? t.invited(email) : t.levelChanged(email, words[level], namesOf(changed)),
    );
    setInvited(isInvited ? email : undefined);
    setEmail(clearSentText(email));
    onDone?.();
  };
  // What was refused is said below.
  const begin = (): void =>
    void carryOut()
      .catch(() => undefined)
      .finally(() => setAsked(false));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setInvited(undefined);
    if (toChange.length === 0) toast.show(t.alreadyMay(email, words[level], namesOf(plantIds)));
    else if (changed.length > 0) setAsked(true);
    else begin();
  };
  const { error } = give;
  const expected = isAbout(error, 'email')
    ? ((error as CallFailure).data['expected'] as string)
    : undefined;
  return (
    <>
      <Fields onSubmit={submit} component="form">
        {children}
        <EmailField
          label={t.email}
          value={email}
          onChange={setEmail}
          error={expected === undefined ? undefined : t.refused(expected)}
        />
        <NativeSelect
          label={t.level}
          value={level}
          onChange={(event) => setLevel(event.currentTarget.value as ShareLevel)}
          data={[
            { value: 'read', label: t.maySee },
            { value: 'control', label: t.mayControl },
            { value: 'install', label: t.mayInstall },
          ]}
        />
        <Button type="submit" loading={give.isPending} disabled={plantIds.length === 0 || !shares}>
          {t.invite}
        </Button>
      </Fields>
      {error && expected === undefined && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {invited !== undefined && <PassOn email={invited} />}
      <ConfirmDialog
        opened={isAsked}
        title={t.changeLevelOf(email)}
        action={t.changeLevelTo(words[level])}
        busy={give.isPending}
        onConfirm={begin}
        onClose={() => setAsked(false)}
      >
        {formerly.map((former) =>
          t.alreadyMay(
            email,
            words[former],
            namesOf(changed.filter((id) => levelIn(id) === former)),
          ),
        )}{' '}
        {t.changeLevelLead}
      </ConfirmDialog>
    </>
  );
}
