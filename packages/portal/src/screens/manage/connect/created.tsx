import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bullets, Card, Section, Soft } from '../../../components/layout.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { CopyText } from './copy-text.tsx';
import { collectFile, type ConnectFamily } from './families.ts';
import { texts } from './texts/index.ts';

interface CreatedProps {
  readonly plantId: string;
  readonly family: ConnectFamily;
  readonly collector: WireData<'collector/create'>;
}

/** A collector that was just created: its file and its token, which is shown nowhere else, and what to do with them. */
export function Created({ plantId, family, collector }: CreatedProps): ReactNode {
  const t = texts.useTexts();
  const { sn = '', token = '', gateway = '' } = collector;
  const tokenField = (
    <>
      <CopyField label={t.token} value={token} description={family === 'own' ? '' : t.tokenFile} />
      <Notice kind="warn" title={t.once}>
        <p>{t.onceLead}</p>
      </Notice>
    </>
  );
  return (
    <Card aria-label={t.toDo}>
      <h2>{t.toDo}</h2>
      {family === 'own' ? (
        <>
          <CopyField label={t.gateway} value={gateway} />
          <CopyField label={t.serial} value={sn} />
          {tokenField}
        </>
      ) : (
        <Bullets component="ol">
          <li>
            <Section component="div">
              <p>{t.install}</p>
            </Section>
          </li>
          <li>
            <Section component="div">
              <p>{t.saveBoth}</p>
              <CopyText label="collect.yaml" value={collectFile(family, gateway, t.file)} />
              {tokenField}
              <p>{t.unknownAddress}</p>
              <CopyField
                label={t.search}
                value={`helioport-collect discover --write --gateway ${gateway}`}
              />
            </Section>
          </li>
          <li>
            <Section component="div">
              <CopyField label={t.start} value="helioport-collect run" />
            </Section>
          </li>
        </Bullets>
      )}
      <Soft>{t.thenBind}</Soft>
      <div>
        <Link to="/plants/$id/settings" params={{ id: plantId }} search={{ bind: true }}>
          {t.toDevices}
        </Link>
      </div>
    </Card>
  );
}
