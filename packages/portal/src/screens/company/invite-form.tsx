import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Fields, Soft } from '../../components/layout.tsx';
import { clearSentText } from '../../parts/clear-sent-text.ts';
import { EmailField } from '../../parts/people/email-field.tsx';
import { PassOn } from '../../parts/people/pass-on.tsx';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** Invites somebody to the company. */
export function InviteForm(): ReactNode {
  const t = texts.useTexts();
  const invite = useAct('company/invite');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('member');
  const [invited, setInvited] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.carryOut({ email, role }, t.invited(email), () => {
      setInvited(email);
      setEmail(clearSentText(email));
    });
  };
  return (
    <>
      <Soft>{t.roleLead}</Soft>
      <Fields onSubmit={submit} component="form">
        <EmailField label={t.email} value={email} onChange={setEmail} />
        <NativeSelect
          label={t.role}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
          data={[
            { value: 'member', label: t.roles.member },
            { value: 'manager', label: t.roles.manager },
          ]}
        />
        <Button type="submit" loading={invite.busy}>
          {t.invite}
        </Button>
      </Fields>
      {invited !== undefined && <PassOn key={invited} email={invited} />}
    </>
  );
}
