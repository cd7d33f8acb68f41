import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, List, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { useFirstLanguage } from './first-language.ts';
import { texts } from './texts/index.ts';
import { pushHindrance, subscribeThisBrowser } from './this-browser.ts';

/** The browsers that show messages about alarms, even while the portal is closed. */
export function Browsers({ pushKey }: { readonly pushKey: string }): ReactNode {
  const t = texts.useTexts().push;
  const formats = useFormats();
  const { data = [] } = useOperation('push/list', {});
  const adding = useChange('push/subscribe');
  const removing = useChange('push/remove');
  const { keepLanguage } = useFirstLanguage();
  const [hindrance, setHindrance] = useState(pushHindrance);
  const [isAsking, setAsking] = useState(false);
  const add = async (): Promise<void> => {
    setAsking(true);
    try {
      const subscription =
        pushHindrance() === undefined ? await subscribeThisBrowser(pushKey) : undefined;
      if (subscription) {
        if (data.length === 0) await keepLanguage();
        await adding.mutateAsync(subscription);
        toast.show(t.added);
      }
    } catch {
      toast.fault(t.failed);
    } finally {
      setHindrance(pushHindrance());
      setAsking(false);
    }
  };
  return (
    <Card aria-labelledby="browsers">
      <h2 id="browsers">{t.title}</h2>
      <Soft>{hindrance ? t.hindrances[hindrance] : t.lead}</Soft>
      {data.length > 0 && (
        <List divided>
          {data.map(({ id = '', label = '', createdAt = 0, sentAt }) => (
            <li key={id}>
              <div>
                <strong>
                  <bdi>{label}</bdi>
                </strong>
                <Soft>
                  {t.since(formats.ago(serverNow() - createdAt))}
                  {sentAt !== undefined && ` · ${t.sent(formats.ago(serverNow() - sentAt))}`}
                </Soft>
              </div>
              <Button
                variant="default"
                size="sm"
                aria-label={`${t.remove}: ${label}`}
                onClick={() => removing.mutate({ id })}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </List>
      )}
      {(hindrance === undefined || hindrance === 'denied') && (
        <Button variant="default" loading={isAsking} onClick={() => void add()}>
          {hindrance ? t.again : t.add}
        </Button>
      )}
    </Card>
  );
}
