import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Card, Fields, Soft } from '../../components/layout.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useAccount } from '../../session/session-context.ts';
import type { Company } from './company.ts';
import { Logo } from './logo.tsx';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** The name of a company, and the ways out of it. */
export function CompanySettings({ company }: { readonly company: Company }): ReactNode {
  const { name: known = '', role, members = [] } = company;
  const t = texts.useTexts();
  const { email: mine } = useAccount();
  const [name, setName] = useState(known);
  const [way, setWay] = useState<'leave' | 'dissolve'>();
  const rename = useAct('company/rename');
  const leave = useAct('company/remove');
  const dissolve = useAct('company/dissolve');
  const isManager = role === 'manager';
  const others = members.filter(({ email }) => email !== mine);
  const isNeeded = isManager && others.length > 0 && !others.some((one) => one.role === 'manager');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.carryOut({ name }, t.renamed);
  };
  const close = (): void => setWay(undefined);
  return (
    <Card aria-label={t.settings}>
      <h2>{t.settings}</h2>
      {isManager && (
        <Fields onSubmit={submit} component="form">
          <TextInput
            required
            withAsterisk={false}
            maxLength={100}
            label={t.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={rename.busy}>
            {t.rename}
          </Button>
        </Fields>
      )}
      {isManager && <Logo company={company} />}
      {isNeeded && <Soft>{t.lastManager}</Soft>}
      <Actions>
        {/* The last one to leave dissolves it. */}
        {others.length > 0 && (
          <Button variant="default" disabled={isNeeded} onClick={() => setWay('leave')}>
            {t.leave}
          </Button>
        )}
        {isManager && (
          <Button variant="default" onClick={() => setWay('dissolve')}>
            {t.dissolve}
          </Button>
        )}
      </Actions>
      <ConfirmDialog
        opened={way === 'leave'}
        title={t.leave}
        action={t.leave}
        dangerous
        busy={leave.busy}
        onConfirm={() => leave.carryOut({ email: mine }, t.left, close)}
        onClose={close}
      >
        {t.leaveLead}
      </ConfirmDialog>
      <ConfirmDialog
        opened={way === 'dissolve'}
        title={t.dissolve}
        action={t.dissolve}
        dangerous
        busy={dissolve.busy}
        onConfirm={() => dissolve.carryOut({}, t.dissolved, close)}
        onClose={close}
      >
        {t.dissolveLead}
      </ConfirmDialog>
    </Card>
  );
}
