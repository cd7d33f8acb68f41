import { Alert, Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Card, Numbers, Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { SettingsLinks } from '../../parts/navigation/section-links.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount, useSession } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { change } from '../../wire/call.ts';
import { readSession } from '../../wire/session.ts';
import { IdentityDialog, type GivenProof } from './identity-dialog.tsx';
import { texts } from './texts/index.ts';

const NUMBERS = [
  'plants',
  'archivedPlants',
  'sharesGiven',
  'sharesReceived',
  'keys',
  'authorizations',
  'strategies',
  'commands',
  'invitations',
  'applications',
  'destinations',
  'browsers',
  'webhooks',
] as const;

/** Closes the account, after it was said in numbers what that means. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { accept } = useSession();
  const navigate = useNavigate();
  const { data, error, refetch } = useOperation('account/closing', {});
  const [isAsking, setAsking] = useState(false);
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const { retentionDays = 0, plants = 0 } = data;

  const proven = async (proof: GivenProof): Promise<void> => {
    const { removeAt } = await change('account/close', proof);
    toast.show(t.closed(formats.dateTime(removeAt, timeZone)));
    accept(await readSession());
    await navigate({ to: '/', replace: true });
  };
  return (
    <Page narrow>
      <SettingsLinks />
      <PageHeading>{t.close}</PageHeading>
      <Card>
        <h2>{t.closeEnds}</h2>
        <Soft>{t.closeEndsLead}</Soft>
        <Numbers>
          <tbody>
            {NUMBERS.filter((name) => (data[name] ?? 0) > 0).map((name) => (
              <tr key={name}>
                <th scope="row">{t.closeNumbers[name]}</th>
                <td>{formats.number(data[name] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </Numbers>
        {plants > 0 && (
          <Alert color="yellow" w="100%">
            {t.closePlants}
          </Alert>
        )}
      </Card>
      <Card>
        <h2>{t.closeLater(retentionDays)}</h2>
        <Soft>{t.closeLaterLead}</Soft>
        <Link to="/account/export">{t.closeExport}</Link>
        <Button color="red.8" onClick={() => setAsking(true)}>
          {t.closeNow}
        </Button>
      </Card>
      {isAsking && <IdentityDialog onProven={proven} onClose={() => setAsking(false)} />}
    </Page>
  );
}
