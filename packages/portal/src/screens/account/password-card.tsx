import { Button, Checkbox } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Form, Soft } from '../../components/layout.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSession } from '../../session/session-context.ts';
import { change } from '../../wire/call.ts';
import { readSession } from '../../wire/session.ts';
import { NewPasswordField } from '../../parts/new-password-field.tsx';
import { IdentityDialog, type GivenProof } from './identity-dialog.tsx';
import { texts } from './texts/index.ts';

/** Changes the password, which ends all sessions, this one included. */
export function PasswordCard(): ReactNode {
  const t = texts.useTexts();
  const { accept } = useSession();
  const [newPassword, setNewPassword] = useState('');
  const [endsAll, setEndsAll] = useState(false);
  const [isAsking, setAsking] = useState(false);

  const proven = async (proof: GivenProof): Promise<void> => {
    await change('password/change', { ...proof, newPassword, endAllAccess: endsAll ? 1 : 0 });
    toast.show(t.passwordChanged);
    accept(await readSession());
  };
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    setAsking(true);
  };

  return (
    <Card>
      <h2>{t.password}</h2>
      <Soft>{t.passwordLead}</Soft>
      <Form onSubmit={ask}>
        <NewPasswordField label={t.newPassword} value={newPassword} onChange={setNewPassword} />
        <Checkbox
          label={t.endAll}
          checked={endsAll}
          onChange={(event) => setEndsAll(event.currentTarget.checked)}
        />
        <Button type="submit" variant="default">
          {t.changePassword}
        </Button>
      </Form>
      {isAsking && <IdentityDialog onProven={proven} onClose={() => setAsking(false)} />}
    </Card>
  );
}
