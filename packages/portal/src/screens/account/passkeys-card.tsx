import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form, List, Section, Soft } from '../../components/layout.tsx';
import { toast } from '../../parts/toast.tsx';
import { call } from '../../wire/call.ts';
import { hasPasskeys, makePasskey } from '../../wire/passkeys.ts';
import { useChange } from '../../wire/queries.ts';
import { IdentityDialog, type GivenProof } from './identity-dialog.tsx';
import { PasskeyRow, type Passkey } from './passkey-row.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { texts } from './texts/index.ts';

interface PasskeysCardProps {
  readonly passkeys: readonly Passkey[];
  readonly possible: boolean;
}

/** The passkeys of an account: several, each with a name. */
export function PasskeysCard({ passkeys, possible }: PasskeysCardProps): ReactNode {
  const t = texts.useTexts();
  const [name, setName] = useState('');
  const [asking, setAsking] = useState<'add' | Passkey>();
  const [codes, setCodes] = useState<readonly string[]>();
  const add = useChange('passkey/add');
  const remove = useChange('passkey/remove');

  const proven = async (proof: GivenProof): Promise<void> => {
    if (asking === 'add') {
      const { options } = await call('passkey/begin', proof);
      const response = await makePasskey(options ?? {});
      if (response !== undefined) {
        const { recoveryCodes } = await add.mutateAsync({ name, response });
        setName('');
        setCodes(recoveryCodes);
        // Where there are codes, their dialog says it, which a message would cover.
        if (!recoveryCodes) toast.show(t.passkeyAdded);
      }
    } else if (asking) {
      await remove.mutateAsync({ id: asking.id, ...proof });
      toast.show(t.passkeyRemoved);
    }
    setAsking(undefined);
  };
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    setAsking('add');
  };

  return (
    <Section component="div">
      <h3>{t.passkeys}</h3>
      {passkeys.length === 0 && <Soft>{t.passkeysNone}</Soft>}
      <List divided>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setAsking(passkey)} />
        ))}
      </List>
      {possible && hasPasskeys() ? (
        <Form onSubmit={ask}>
          <TextInput
            label={t.passkeyName}
            description={t.passkeyNameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={100}
            withAsterisk={false}
          />
          <Button type="submit" variant="default">
            {t.addPasskey}
          </Button>
        </Form>
      ) : (
        <Soft>{t.passkeysImpossible}</Soft>
      )}
      {asking && <IdentityDialog onProven={proven} onClose={() => setAsking(undefined)} />}
      {codes && (
        <RecoveryCodes
          codes={codes}
          lead={`${t.passkeyAdded} ${t.othersEnded}`}
          onKept={() => setCodes(undefined)}
        />
      )}
    </Section>
  );
}
