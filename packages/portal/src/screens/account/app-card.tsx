import { Alert, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { call } from '../../wire/call.ts';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import { IdentityDialog, type Proof } from './identity-dialog.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './screen.module.css';
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
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<'wrongCode' | 'away'>();
  const [codes, setCodes] = useState<readonly string[]>();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const remove = useChange('totp/remove');
  const renew = useChange('recovery/renew');

  const proven = async (proof: Proof): Promise<void> => {
    if (asking === 'add') setBegun(await call('totp/begin', proof));
    if (asking === 'renew') setCodes((await renew.mutateAsync(proof)).recoveryCodes);
    if (asking === 'remove') {
      await remove.mutateAsync(proof);
      toast.show(t.appRemoved);
    }
    setAsking(undefined);
  };
  const finish = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    try {
      // The codes are shown at once; what the page says besides follows.
      const { recoveryCodes } = await call('totp/confirm', { code });
      void client.invalidateQueries();
      setBegun(undefined);
      setCode('');
      setCodes(recoveryCodes);
      toast.show(t.appAdded);
    } catch (error) {
      setFault(error instanceof CallFailure ? 'wrongCode' : 'away');
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className={styles.part}>
      <h3>{t.app}</h3>
      <p className={styles.note}>{since === undefined ? t.appNone : t.since(formats.dateTime(since, timeZone))}</p>
      {begun ? (
        <form onSubmit={(event) => void finish(event)} className={styles.form}>
          <p>{t.scan}</p>
          <QrCode text={begun.uri ?? ''} label={t.app} />
          <a href={begun.uri} className={styles.onThisDevice}>
            {t.openApp}
          </a>
          <CopyField label={t.secret} value={begun.secret ?? ''} />
          {fault && (
            <Alert color="red" role="alert">
              {t[fault]}
            </Alert>
          )}
          <TextInput
            label={t.appCode}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={10}
            withAsterisk={false}
          />
          <Button type="submit" loading={isBusy}>
            {t.proceed}
          </Button>
        </form>
      ) : (
        <Button variant="default" onClick={() => setAsking(since === undefined ? 'add' : 'remove')}>
          {since === undefined ? t.addApp : t.removeApp}
        </Button>
      )}
      {(since !== undefined || hasOthers) && (
        <>
          <h3>{t.recovery}</h3>
          <p className={styles.note}>{t.codesLeft(codesLeft)}</p>
          <Button variant="default" onClick={() => setAsking('renew')}>
            {t.renew}
          </Button>
        </>
      )}
      {asking && <IdentityDialog onProven={proven} onClose={() => setAsking(undefined)} />}
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
    </div>
  );
}
