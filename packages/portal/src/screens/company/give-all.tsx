import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Note, Row } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { change } from '../../wire/call.ts';
import { texts } from './texts/index.ts';

interface GiveAllProps {
  readonly ungiven: number;
  /** Of the first of them. */
  readonly names: readonly string[] | undefined;
}

/** Shares all plants of one's own with the company, a hundred at a time. */
export function GiveAll({ ungiven, names }: GiveAllProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const client = useQueryClient();
  const [left, setLeft] = useState<number>();
  const [isAsked, setAsked] = useState(false);
  const giveAll = async (): Promise<void> => {
    setAsked(false);
    let all = 0;
    try {
      for (let open = ungiven; open > 0;) {
        setLeft(open);
        // What is left without anything having been given was made meanwhile by somebody else, and is given next time.
        const { given = 0, left: rest = 0 } = await change('company/give', {});
        all += given;
        open = given > 0 ? rest : 0;
      }
      toast.show(t.given(all, formats.number(all, 0)));
    } catch (error) {
      toast.fault((error as Error).message);
    }
    setLeft(undefined);
    await client.invalidateQueries();
  };
  const more = ungiven - (names?.length ?? 0);
  const listed = formats.list(names ?? []);
  const named = more > 0 ? t.andMore(listed, formats.number(more, 0)) : listed;
  return (
    <Row>
      <div>
        <bdi>{named}</bdi>
        <Note component="span">{t.giveLead}</Note>
      </div>
      <Button variant="default" disabled={left !== undefined} onClick={() => setAsked(true)}>
        {left === undefined
          ? t.give(formats.number(ungiven, 0))
          : t.giving(formats.number(left, 0))}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t.give(formats.number(ungiven, 0))}
        action={t.giveNow}
        onConfirm={() => void giveAll()}
        onClose={() => setAsked(false)}
      >
        <p>
          <bdi>{named}</bdi>
        </p>
        {t.giveLead}
      </ConfirmDialog>
    </Row>
  );
}
