import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Section, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { change } from '../../wire/call.ts';
import { useChange } from '../../wire/queries.ts';
import { AppSetup } from './app-setup.tsx';
import { IdentityDialog, type GivenProof } from './identity-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { texts } from './texts/index.ts';

interface AppCardProps {
  readonly since: number | undefined;
  readonly codesLeft: number;
  /** Whether there is another factor that recovery codes stand in for. */
  readonly hasOthers: boolean;
}

/** The authenticator app and the recovery codes. */
export function AppCard({ since, codesLeft, hasOthers }: AppCardProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [asking, setAsking] = useState<'add' | 'remove' | 'renew'>();
  const [begun, setBegun] = useState<{ secret?: string; uri?: string }>();
  const [shown, setShown] = useState<{
    readonly codes: readonly string[];
    readonly lead?: string;
  }>();
  const remove = useChange('totp/remove');
  const renew = useChange('recovery/renew');

  const proven = async (proof: GivenProof): Promise<void> => {
    if (asking === 'add') setBegun(await change('totp/begin', proof));
    if (asking === 'renew')
      setShown({ codes: (await renew.mutateAsync(proof)).recoveryCodes ?? [] });
    if (asking === 'remove') {
      await remove.mutateAsync(proof);
      toast.show(t.appRemoved);
    }
    setAsking(undefined);
  };
  const done = (codes: readonly string[] | undefined): void => {
    setBegun(undefined);
    // Where there are codes, their dialog says it, which a message would cover.
    if (codes) setShown({ codes, lead: `${t.appAdded} ${t.othersEnded}` });
    else toast.show(t.appAdded);
  };

  return (
    <Section component="div">
      <h3>{t.app}</h3>
      <Soft>{since === undefined ? t.appNone : t.since(formats.dateTime(since, timeZone))}</Soft>
      {begun ? (
        <AppSetup
          secret={begun.secret ?? ''}
          uri={begun.uri ?? ''}
          onDone={done}
          onCancel={() => setBegun(undefined)}
        />
      ) : (
        <Button variant="default" onClick={() => setAsking(since === undefined ? 'add' : 'remove')}>
          {since === undefined ? t.addApp : t.removeApp}
        </Button>
      )}
      {(since !== undefined || hasOthers) && (
        <>
          <h3>{t.recovery}</h3>
          <Soft>{t.codesLeft(codesLeft)}</Soft>
          <Button variant="default" onClick={() => setAsking('renew')}>
            {t.renew}
          </Button>
        </>
      )}
      {asking && <IdentityDialog onProven={proven} onClose={() => setAsking(undefined)} />}
      {shown && <RecoveryCodes {...shown} onKept={() => setShown(undefined)} />}
    </Section>
  );
}
