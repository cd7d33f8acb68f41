import { Button, FileButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Note, Row } from '../../components/layout.tsx';
import { toast } from '../../parts/toast.tsx';
import type { Company } from './company.ts';
import { smallPicture } from './small-picture.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** The logo of a company, which stands on reports; managers choose and remove it. */
export function Logo({ company: { logo, name } }: { readonly company: Company }): ReactNode {
  const t = texts.useTexts();
  const set = useAct('company/logo');
  const [reading, setReading] = useState(false);
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return;
    setReading(true);
    const image = await smallPicture(file).catch(() => undefined);
    setReading(false);
    if (image === undefined) toast.fault(t.noPicture);
    else set.carryOut({ image }, t.renamed);
  };
  return (
    <Row>
      <div>
        {t.logo}
        <Note component="span">{t.logoLead}</Note>
        {logo !== undefined && (
          <img className={styles.logo} src={logo} alt={t.logoOf(name ?? '')} />
        )}
      </div>
      <Actions>
        <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={reading || set.busy}>
              {t.chooseLogo}
            </Button>
          )}
        </FileButton>
        {logo !== undefined && (
          <Button variant="default" disabled={set.busy} onClick={() => set.carryOut({}, t.renamed)}>
            {t.removeLogo}
          </Button>
        )}
      </Actions>
    </Row>
  );
}
